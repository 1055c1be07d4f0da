// The labelling page: keys, timing, drafts and the saved state. A key acts only on the
// pair that was on the screen when it was pressed; while a request is under way none does.
(() => {
  "use strict";

  const KEYS = new Map([
    ["1", "first"], ["ArrowLeft", "first"],
    ["2", "second"], ["ArrowRight", "second"],
    ["0", "tie"], ["t", "tie"],
    ["s", "abstain"],
  ]);
  // Nobody has read a new pair this soon: such a key was meant for the one before.
  const TOO_SOON_MS = 150;
  const state = document.getElementById("save-state");
  const work = document.getElementById("work");
  let busy = false;
  let shownAt = 0;

  const form = () => document.getElementById("answer");
  const clock = (date) =>
    date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

  const say = (text, kind = "", link = null) => {
    state.textContent = text;
    state.dataset.kind = kind;
    if (!link) return;
    const a = document.createElement("a");
    a.href = link.href;
    a.textContent = link.text;
    state.append(" ", a);
  };

  // Drafts: what was chosen and typed survives a reload, a refusal, a lost connection.
  const draftKey = () => `evenhand:draft:${form().elements.token.value}`;
  const keepDraft = () => {
    if (!form()) return;
    const { choice, note } = form().elements;
    try {
      sessionStorage.setItem(draftKey(), JSON.stringify([choice.value, note.value]));
    } catch {
      // Storage is full or forbidden: the fields themselves still hold the text.
    }
  };
  const dropDraft = () => {
    try {
      sessionStorage.removeItem(draftKey());
    } catch {
      // Nothing was stored then.
    }
  };
  const restoreDraft = () => {
    if (!form()) return;
    let draft = null;
    try {
      draft = JSON.parse(sessionStorage.getItem(draftKey()));
    } catch {
      // Forbidden or damaged: then there is no draft.
    }
    if (!Array.isArray(draft)) return;
    const [choice, note] = draft;
    const radio = [...form().elements.choice].find((one) => one.value === choice);
    if (radio) radio.checked = true;
    form().elements.note.value = String(note ?? "");
    if (note) form().querySelector(".note-field").open = true;
    if (radio || note) say("Your draft is back; it is not saved yet.", "warn");
  };

  const localTimes = () => {
    for (const time of work.querySelectorAll("time[datetime]")) {
      time.textContent = clock(new Date(time.dateTime));
    }
  };

  // Keys
  const inField = (target) =>
    target instanceof Element &&
    (target.closest("textarea, select, [contenteditable]") !== null ||
      (target instanceof HTMLInputElement && target.type !== "radio"));

  const choose = (value) => {
    const radio = [...form().elements.choice].find((one) => one.value === value);
    radio.checked = true;
    say("");
    keepDraft();
  };
  const confirmAnswer = () => {
    if (!form().elements.choice.value) {
      say("Choose left, right, tie or abstain first.", "warn");
      return;
    }
    form().requestSubmit(form().querySelector("button.primary"));
  };
  const writeNote = () => {
    form().querySelector(".note-field").open = true;
    form().elements.note.focus();
  };
  const toggle = (id) => {
    const panel = document.getElementById(id);
    if (!panel) return;
    panel.open = !panel.open;
    if (panel.open) panel.scrollIntoView({ block: "nearest" });
  };

  const keyInField = (event) => {
    if (event.key === "Escape") event.target.blur();
    const confirms = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!confirms || busy || !form()) return;
    event.preventDefault();
    confirmAnswer();
  };
  const onControl = (target) =>
    target instanceof Element && target.closest("a, button, summary") !== null;

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.repeat) return;
    if (inField(event.target)) return keyInField(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "g") return toggle("guideline");
    if (key === "?") return toggle("keys");
    if (!form()) return;
    const act =
      (KEYS.has(key) && (() => choose(KEYS.get(key)))) ||
      (key === "n" && writeNote) ||
      (key === "k" && (() => document.getElementById("skip").focus())) ||
      (key === "Enter" && !onControl(event.target) && confirmAnswer);
    if (!act) return;
    event.preventDefault();
    if (!busy && event.timeStamp >= shownAt + TOO_SOON_MS) act();
  });
  document.addEventListener("input", keepDraft);
  document.addEventListener("change", keepDraft);

  // Requests
  document.body.addEventListener("htmx:configRequest", (event) => {
    const seconds = (performance.now() - shownAt) / 1000;
    event.detail.parameters.elapsed = seconds.toFixed(1);
  });
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (busy) {
      event.preventDefault();
      return;
    }
    busy = true;
    keepDraft();
    say("Saving…");
  });
  document.body.addEventListener("htmx:afterRequest", () => {
    busy = false;
  });

  const notSaved = (reason, link = null) =>
    say(`Not saved: kept here. ${reason}`, "warn", link);
  const here = window.location.pathname;
  const page = (html) => new DOMParser().parseFromString(html, "text/html");

  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.status >= 400) return;
    if (page(event.detail.serverResponse).querySelector("body > .work")) {
      if (form()) dropDraft();
      return;
    }
    // Some other page came instead: the session has ended.
    event.detail.shouldSwap = false;
    const href = `${work.dataset.login}?next=${encodeURIComponent(here)}`;
    notSaved("You are signed out.", { href, text: "Sign in again" });
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    shownAt = performance.now();
    const done = work.querySelector(".work").dataset.done;
    if (done === "saved") say(`Saved ${clock(new Date())}`);
    else say(done === "skipped" ? "Skipped: somebody else will label it" : "");
    restoreDraft();
    localTimes();
    window.scrollTo({ top: 0 });
    work.focus({ preventScroll: true });
  });

  document.body.addEventListener("htmx:responseError", (event) => {
    const { status, response } = event.detail.xhr;
    const said = page(response).querySelector("[role=alert]");
    const reload = { href: here, text: "Load this page again" };
    if (status === 409) return notSaved(said.textContent.trim(), { href: here, text: "Next pair" });
    if (said) return notSaved(said.textContent.trim());
    if (status === 403) return notSaved("This page is out of date.", reload);
    return notSaved("The server failed; press Enter to try again.");
  });
  document.body.addEventListener("htmx:sendError", () =>
    notSaved("The server can’t be reached; press Enter to try again."));
  document.body.addEventListener("htmx:timeout", () =>
    notSaved("The server did not answer in time; press Enter to try again."));

  restoreDraft();
  localTimes();
})();

// The adjudication page: keys, drafts, the saved state, and the hold on a pair. A key acts
// only on the pair that was on the screen when it was pressed.
(() => {
  "use strict";

  const KEYS = new Map([
    ["1", "first"], ["ArrowLeft", "first"],
    ["2", "second"], ["ArrowRight", "second"],
    ["0", "tie"], ["t", "tie"],
    ["s", "abstain"],
  ]);
  const FIELDS = ["choice", "category", "note"];
  // Nobody has read a new pair this soon: such a key was meant for the one before.
  const TOO_SOON_MS = 150;
  const KEEP_EVERY_MS = 60_000;
  const state = document.getElementById("save-state");
  const work = document.getElementById("work");
  let busy = false;
  let shownAt = 0;
  let active = false;

  const { view } = window.evenhand;
  const form = () => document.getElementById("answer");
  const field = (name) => form().elements.namedItem(name);
  const clock = (date) =>
    date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

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
  const draftKey = () => `evenhand:ruling:${form().action}`;
  const keepDraft = () => {
    active = true;
    if (!form()) return;
    const draft = FIELDS.map((name) => field(name)?.value ?? "");
    try {
      sessionStorage.setItem(draftKey(), JSON.stringify(draft));
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
    if (!Array.isArray(draft) || !draft.some(Boolean)) return;
    FIELDS.forEach((name, place) => {
      if (field(name)) field(name).value = String(draft[place] ?? "");
    });
    say("Your draft is back; it is not saved yet.", "warn");
  };

  const localTimes = () => {
    for (const time of work.querySelectorAll(".end time[datetime]")) {
      time.textContent = clock(new Date(time.dateTime));
    }
  };

  // Keys
  const inField = (target) =>
    target instanceof Element &&
    (target.closest("textarea, select, [contenteditable]") !== null ||
      (target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type)));

  const choose = (value) => {
    field("choice").value = value;
    say("");
    keepDraft();
  };
  const go = (name) => {
    if (!field(name)) return;
    field(name).focus();
    if (name === "note") field(name).setSelectionRange(field(name).value.length, field(name).value.length);
    field(name).scrollIntoView({ block: "nearest" });
  };
  const missing = () => {
    if (!field("choice").value) return ["choice", "Choose left, right, tie or abstain first."];
    if (field("category") && !field("category").value) return ["category", "Choose a category: what is behind this ruling?"];
    if (field("note") && !field("note").value.trim()) return ["note", "A ruling needs a note that says why."];
    return null;
  };
  const confirmAnswer = () => {
    const lacking = missing();
    if (lacking) {
      say(lacking[1], "warn");
      if (lacking[0] !== "choice") go(lacking[0]);
      return;
    }
    form().requestSubmit(form().querySelector("button.primary"));
  };
  const toggle = (id) => {
    const panel = document.getElementById(id);
    if (!panel) return;
    panel.open = !panel.open;
    if (panel.open) panel.scrollIntoView({ block: "nearest" });
  };
  const keyInField = (event) => {
    if (event.key === "Escape") {
      event.target.blur();
      work.focus({ preventScroll: true });
    }
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
      (key === "n" && (() => go("note"))) ||
      (key === "c" && (() => go("category"))) ||
      (key === "r" && (() => view.show("raw"))) ||
      (key === "d" && (() => view.show("diff"))) ||
      (key === "l" && view.link) ||
      (key === "k" && (() => document.getElementById("give-back").focus())) ||
      (key === "Enter" && !onControl(event.target) && confirmAnswer);
    if (!act) return;
    event.preventDefault();
    if (!busy && event.timeStamp >= shownAt + TOO_SOON_MS) act();
  });
  document.addEventListener("input", keepDraft);
  document.addEventListener("change", keepDraft);
  for (const sign of ["scroll", "pointermove", "keydown"]) {
    document.addEventListener(sign, () => { active = true; }, { passive: true });
  }

  // The hold: renewed while somebody is at work here, so that nobody else gets the pair.
  const keepHold = async () => {
    if (!form() || busy || !active || document.hidden) return;
    active = false;
    const token = form().dataset.token;
    try {
      const reply = await fetch(form().dataset.keep, {
        method: "POST",
        headers: { "X-CSRFToken": field("csrfmiddlewaretoken").value, Accept: "application/json" },
      });
      const { held } = reply.ok ? await reply.json() : { held: true };
      if (!held && form()?.dataset.token === token) {
        say("Your hold on this pair ran out, and somebody else has it now. You can still rule if you are first.", "warn");
      }
    } catch {
      // Offline for the moment: confirming will say so.
    }
  };
  window.setInterval(keepHold, KEEP_EVERY_MS);

  // Requests
  const isPost = (event) => event.detail.requestConfig.verb === "post";
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (busy) {
      event.preventDefault();
      return;
    }
    busy = true;
    if (!isPost(event)) return;
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
    if (page(event.detail.serverResponse).querySelector("body > .work, body > .texts")) {
      if (form() && isPost(event)) dropDraft();
      return;
    }
    // Some other page came instead: the session has ended.
    event.detail.shouldSwap = false;
    const href = `${work.dataset.login}?next=${encodeURIComponent(here)}`;
    notSaved("You are signed out.", { href, text: "Sign in again" });
  });
  const DONE = new Map([
    ["saved", () => `Saved ${clock(new Date())}`],
    ["first", () => "Your first ruling is kept; here are the labels"],
    ["given back", () => "Given back: somebody else will rule on it"],
  ]);
  document.body.addEventListener("htmx:afterSwap", (event) => {
    view.apply();
    if (event.detail.target !== work) return;
    shownAt = performance.now();
    const { done } = work.querySelector(".work").dataset;
    say(DONE.get(done)?.() ?? "");
    restoreDraft();
    localTimes();
    const labels = done === "first" && work.querySelector(".labels");
    if (labels) labels.scrollIntoView({ block: "start" });
    else window.scrollTo({ top: 0 });
    work.focus({ preventScroll: true });
  });

  document.body.addEventListener("htmx:responseError", (event) => {
    const { status, response } = event.detail.xhr;
    const said = page(response).querySelector("[role=alert]");
    const reload = { href: here, text: "Load this page again" };
    if (!isPost(event)) return say(said?.textContent.trim() ?? "The server failed; try again.", "warn");
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

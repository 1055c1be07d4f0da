// The labelling page: keys, requests and the saved state. A key acts only on the pair
// that was on the screen when it was pressed; while a request is under way none does.
(() => {
  "use strict";

  const { drafts, view } = window.evenhand;
  const KEYS = new Map([
    ["1", "first"], ["ArrowLeft", "first"],
    ["2", "second"], ["ArrowRight", "second"],
    ["0", "tie"], ["t", "tie"],
    ["s", "abstain"],
  ]);
  const DIGITS = new Map([["Digit1", "1"], ["Digit2", "2"], ["Digit0", "0"]]);
  // Nobody has read a new pair this soon: such a key was meant for the one before.
  const TOO_SOON_MS = 150;
  const TIMEOUT_MS = 30_000;
  const RETRY_MS = [2_000, 5_000, 10_000, 30_000];
  const state = document.getElementById("save-state");
  const work = document.getElementById("work");
  let busy = false;
  let shownAt = 0;
  let retry = 0;
  let tries = 0;
  let refused = false;
  window.htmx.config.timeout = TIMEOUT_MS;

  const form = () => document.getElementById("answer");
  const field = (name) => form().elements[name];
  const radios = (name) => [...form().querySelectorAll(`[name=${name}]`)];
  const clock = (date) =>
    date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

  const say = (text, kind = "", link = null) => {
    refused = false;
    state.textContent = text;
    state.dataset.kind = kind;
    if (!link) return;
    const a = document.createElement("a");
    a.href = link.href;
    a.textContent = link.text;
    state.append(" ", a);
  };
  const notSaved = (reason, link = null) =>
    say(`Not saved: kept here. ${reason}`, "warn", link);
  // Why an answer was not taken stays to be read until the next act.
  const refuse = (how, ...words) => {
    how(...words);
    refused = true;
  };
  const nextPair = { href: work.dataset.queue, text: "Next pair" };

  const LOST = {
    taken: "Your reservation ran out and others have taken this pair.",
    closed: "This round was closed meanwhile.",
    given_back: "You gave this pair back, so somebody else will label it.",
    removed: "You were taken out of this round.",
  };
  const whereTo = (said) =>
    /member_removed|You were taken out/.test(said) ? { ...nextPair, text: "My labels" } : nextPair;
  drafts.hear((reply) => {
    if (busy || retry) return;
    if (reply && reply.reservation in LOST) return notSaved(LOST[reply.reservation], whereTo(LOST[reply.reservation]));
    if (refused) return;
    if (reply === null) return notSaved("The draft is not on the server yet.");
    if (reply.latest) say(`Draft saved ${clock(new Date())}`);
  });
  drafts.lapse(() => {
    if (!busy && !retry) say("Your reservation ran out, and somebody else may get this pair. Go on: while it is free, it is yours again.", "warn");
  });
  const start = () => {
    drafts.start();
    view.apply();
    for (const time of work.querySelectorAll("time[datetime]:not([data-dated])")) {
      time.textContent = clock(new Date(time.dateTime));
    }
    if (form() && drafts.restore()) say("Your draft is back; it is not saved yet.", "warn");
  };

  // Keys
  const inField = (target) =>
    target instanceof Element &&
    (target.closest("textarea, select, [contenteditable]") !== null ||
      (target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type)));
  // Among radio buttons of its own the arrows move, as they do everywhere.
  const onRadio = (target) =>
    target instanceof HTMLInputElement && target.type === "radio" && target.name !== "choice";

  const changed = () => {
    stopRetrying();
    say("");
    drafts.changed();
  };
  const step = (all, round) => {
    const place = all.findIndex((one) => one.checked);
    const next = all[place + 1] ?? (round ? null : all[0]);
    if (next) next.checked = true;
    else all[place].checked = false;
  };
  const choose = (value, much) => {
    if (value === "abstain" && field("choice").value === value) step(radios("abstain_reason"), false);
    radios("choice").find((one) => one.value === value).checked = true;
    const box = form().querySelector(".much input");
    if (box) box.checked = much && (value === "first" || value === "second");
    changed();
  };
  const unanswered = () => {
    if (!field("choice").value) return "Choose left, right, tie or abstain first.";
    if (field("choice").value !== "abstain") return "";
    if (!field("abstain_reason").value) return "Say why it can’t be judged: S steps through the reasons.";
    const other = field("abstain_reason").value === "other" && !field("note").value.trim();
    return other ? "Say in the note what it is (N)." : "";
  };
  const confirmAnswer = () => {
    const missing = unanswered();
    if (missing) return refuse(say, missing, "warn");
    form().requestSubmit(form().querySelector("button.primary"));
  };
  const writeNote = () => {
    form().querySelector(".note-field").open = true;
    const note = field("note");
    note.focus();
    note.setSelectionRange(note.value.length, note.value.length);
  };
  const sure = () => {
    step(radios("confidence"), true);
    changed();
  };
  const toggle = (id) => {
    const panel = document.getElementById(id);
    if (!panel) return;
    panel.open = !panel.open;
    if (panel.open) panel.scrollIntoView({ block: "nearest" });
  };
  const openLast = () => {
    const before = form()?.dataset.reopened ? `?before=${field("token").value}` : "";
    drafts.flush();
    window.htmx.ajax("GET", work.dataset.last + before, { source: work, target: work, swap: "innerHTML" });
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
  const MORE = {
    n: writeNote,
    c: sure,
    k: () => document.getElementById("skip")?.focus(),
    r: () => view.show("raw"),
    d: () => view.show("diff"),
    l: () => view.link(),
  };

  const actOf = (key, event) => {
    if (key === "u") return openLast;
    if (key === "Enter" && document.getElementById("read") && !onControl(event.target)) {
      return () => document.getElementById("read").click();
    }
    if (!form()) return null;
    if (KEYS.has(key) && !(onRadio(event.target) && key.startsWith("Arrow"))) {
      return () => choose(KEYS.get(key), event.shiftKey);
    }
    if (key === "Enter" && !onControl(event.target)) return confirmAnswer;
    return MORE[key] ?? null;
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.repeat) return;
    if (inField(event.target)) return keyInField(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const plain = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // The digits go by their place: which sign a key gives, and whether it needs Shift
    // for it, depends on the keyboard (a French one writes 1 with Shift only).
    const key = DIGITS.get(event.code) || plain;
    if (key === "g") return toggle("guideline");
    if (key === "?") return toggle("keys");
    const act = actOf(key, event);
    if (!act) return;
    event.preventDefault();
    if (!busy && event.timeStamp >= shownAt + TOO_SOON_MS) act();
  });
  const byHand = (event) => {
    if (event.target.form === form() && event.target.id !== "linked") changed();
  };
  document.addEventListener("input", byHand);

  // Requests
  const isPost = (event) => event.detail.requestConfig.verb === "post";
  document.body.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb !== "post") return;
    const seconds = (performance.now() - shownAt) / 1000;
    event.detail.parameters.elapsed = seconds.toFixed(1);
    event.detail.parameters.active = drafts.seconds();
  });
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (busy) {
      event.preventDefault();
      return;
    }
    busy = true;
    if (!isPost(event)) return;
    window.clearTimeout(retry);
    drafts.cancel();
    drafts.keep();
    say("Saving…");
  });
  document.body.addEventListener("htmx:afterRequest", () => {
    busy = false;
  });

  // A lost connection is tried again by itself, as sending twice stores once; but only
  // for what was confirmed: after a change it waits for Enter.
  const stopRetrying = () => {
    window.clearTimeout(retry);
    retry = tries = 0;
  };
  const sendAgain = () => {
    if (!form() || busy) return;
    window.clearTimeout(retry);
    form().requestSubmit(form().querySelector("button.primary"));
  };
  const tryLater = (reason) => {
    notSaved(`${reason} Trying again by itself; or press Enter.`);
    window.clearTimeout(retry);
    retry = window.setTimeout(sendAgain, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    tries += 1;
  };
  window.addEventListener("online", () => {
    if (retry) sendAgain();
  });

  const here = window.location.pathname;
  const page = (html) => new DOMParser().parseFromString(html, "text/html");

  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.status >= 400) return;
    if (page(event.detail.serverResponse).querySelector("body > .work, body > .texts")) {
      if (form() && isPost(event)) drafts.drop(field("token").value);
      return;
    }
    // Some other page came instead: the session has ended.
    event.detail.shouldSwap = false;
    const href = `${work.dataset.login}?next=${encodeURIComponent(here)}`;
    refuse(notSaved, "You are signed out.", { href, text: "Sign in again" });
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== work) return view.apply();
    stopRetrying();
    shownAt = performance.now();
    if (!form()?.dataset.reopened) window.history.replaceState(null, "", work.dataset.queue);
    const done = work.querySelector(".work").dataset.done;
    if (done === "saved") say(`Saved ${clock(new Date())}`);
    else say(done === "skipped" ? "Skipped: somebody else will label it" : "");
    start();
    window.scrollTo({ top: 0 });
    work.focus({ preventScroll: true });
  });

  document.body.addEventListener("htmx:responseError", (event) => {
    const { status, response } = event.detail.xhr;
    const said = page(response).querySelector("[role=alert]")?.textContent.trim();
    if (!isPost(event)) return refuse(say, said ?? "The server failed; try again.", "warn");
    const reload = { href: here, text: "Load this page again" };
    if (status === 409 && said?.includes("label_changed") && form()) {
      return refuse(notSaved, said, { href: form().dataset.again, text: "Open the label" });
    }
    if (status === 409) return refuse(notSaved, said, whereTo(said));
    if (said) return refuse(notSaved, said);
    if (status === 403) return refuse(notSaved, "This page is out of date.", reload);
    if (status > 500) return failed(event, "The server is not there.");
    return refuse(notSaved, "The server failed; press Enter to try again.");
  });
  const failed = (event, reason) => {
    const answered = event.detail.requestConfig.path === form()?.getAttribute("hx-post");
    if (answered) tryLater(reason);
    else refuse(say, `${reason} Please try again.`, "warn");
  };
  document.body.addEventListener("htmx:sendError", (event) =>
    failed(event, "The server can’t be reached."));
  document.body.addEventListener("htmx:timeout", (event) =>
    failed(event, "The server did not answer in time."));

  start();
})();

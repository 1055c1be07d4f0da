// The labelling page: keys, timing and the saved state. A key acts only on the pair
// that is on the screen; while a request is under way no key does anything.
(() => {
  "use strict";

  const KEYS = new Map([
    ["1", "first"], ["ArrowLeft", "first"],
    ["2", "second"], ["ArrowRight", "second"],
    ["0", "tie"], ["t", "tie"],
    ["s", "abstain"],
  ]);
  const state = document.getElementById("save-state");
  const work = document.getElementById("work");
  let busy = false;
  let shownAt = performance.now();

  const form = () => document.getElementById("answer");
  const say = (text, kind) => {
    state.textContent = text;
    state.dataset.kind = kind || "";
  };
  const clock = () =>
    new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

  // Drafts: what is chosen and typed survives a reload or a lost connection.
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
  const restoreDraft = () => {
    if (!form()) return;
    let draft = null;
    try {
      draft = JSON.parse(sessionStorage.getItem(draftKey()));
    } catch {
      return;
    }
    if (!draft) return;
    form().elements.choice.value = draft[0];
    form().elements.note.value = draft[1];
  };

  const inField = (target) =>
    target instanceof Element &&
    (target.closest("textarea, select, [contenteditable]") ||
      (target instanceof HTMLInputElement && target.type !== "radio"));

  const choose = (value) => {
    form().elements.choice.value = value;
    keepDraft();
  };

  const confirmAnswer = () => {
    if (!form().elements.choice.value) {
      say("Choose left, right, tie or abstain first.", "warn");
      return;
    }
    form().requestSubmit(form().querySelector("button.primary"));
  };

  const toggle = (selector) => {
    const panel = document.querySelector(selector);
    if (panel) panel.open = !panel.open;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && inField(event.target)) {
      event.target.blur();
      return;
    }
    if (event.repeat || inField(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "g") return toggle("#guideline");
    if (key === "?") return toggle(".keys");
    if (busy || !form()) return;
    if (KEYS.has(key)) {
      event.preventDefault();
      choose(KEYS.get(key));
    } else if (key === "n") {
      event.preventDefault();
      form().elements.note.focus();
    } else if (key === "Enter" && !event.target.closest("a, button, summary")) {
      event.preventDefault();
      confirmAnswer();
    }
  });

  document.addEventListener("input", keepDraft);
  document.addEventListener("change", keepDraft);

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
    say("Saving…");
  });
  document.body.addEventListener("htmx:afterRequest", () => {
    busy = false;
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.status >= 400 || !form()) return;
    try {
      sessionStorage.removeItem(draftKey());
    } catch {
      // Nothing was stored then.
    }
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    shownAt = performance.now();
    const saved = work.querySelector("[data-saved]");
    say(saved ? `Saved ${clock()}` : "");
    restoreDraft();
    window.scrollTo({ top: 0 });
  });

  const notSaved = (reason) => say(`Not saved: kept here. ${reason}`, "warn");
  document.body.addEventListener("htmx:responseError", (event) => {
    const reply = new DOMParser().parseFromString(event.detail.xhr.response, "text/html");
    const said = reply.querySelector("[data-error-message]");
    notSaved(said ? said.textContent.trim() : "The server refused it; try again.");
  });
  document.body.addEventListener("htmx:sendError", () =>
    notSaved("The server can't be reached; press Enter to try again."));
  document.body.addEventListener("htmx:timeout", () =>
    notSaved("The server did not answer in time; press Enter to try again."));

  restoreDraft();
})();

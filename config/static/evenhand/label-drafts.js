// Drafts of the labelling page. What was chosen and typed is kept twice: in this browser
// at once, and on the server a moment later, which also renews the reservation. Seconds
// of work are counted here too: the page is to be seen, and somebody does something.
(() => {
  "use strict";

  const PREFIX = "evenhand:draft:";
  const PAUSE_MS = 700; // of typing, before the server is told
  const RENEW_MS = 60_000;
  const IDLE_MS = 60_000;
  const KEPT_DAYS = 30;
  const NOT_SAID = new Set(["csrfmiddlewaretoken", "token", "revision", "elapsed", "active", "view", "linked"]);
  const work = document.getElementById("work");
  const form = () => document.getElementById("answer");
  const keyOf = (token) => PREFIX + token;
  const tokenOf = () => form().elements.token.value;
  let timer = 0;
  let sentAt = performance.now();
  let unsent = false;
  let hears = () => {};
  let lapses = () => {};

  // Storage may be full or forbidden: then the fields and the server hold the text.
  const stored = (act) => {
    try {
      return act(window.localStorage);
    } catch {
      return null;
    }
  };

  const said = () =>
    [...new FormData(form())].filter(([name]) => !NOT_SAID.has(name));
  const keep = (acked) =>
    stored((storage) =>
      storage.setItem(keyOf(tokenOf()), JSON.stringify({ said: said(), acked, at: Date.now() })));
  const drop = (token) => stored((storage) => storage.removeItem(keyOf(token)));
  const sweep = () =>
    stored((storage) => {
      const oldest = Date.now() - KEPT_DAYS * 86_400_000;
      for (const key of Object.keys(storage).filter((one) => one.startsWith(PREFIX))) {
        if (!(JSON.parse(storage.getItem(key))?.at > oldest)) storage.removeItem(key);
      }
    });

  const fill = (entries) => {
    const has = (name, value) => entries.some(([n, v]) => n === name && v === value);
    for (const field of form().elements) {
      if (field.type === "radio" || field.type === "checkbox") {
        if (!NOT_SAID.has(field.name)) field.checked = has(field.name, field.value);
      }
    }
    form().elements.note.value = entries.find(([name]) => name === "note")?.[1] ?? "";
  };

  // Put back what this browser holds and the server was never told; otherwise the form
  // came with what the server has. True if anything of a draft is there.
  const restore = () => {
    const mine = stored((storage) => JSON.parse(storage.getItem(keyOf(tokenOf()))));
    const newer = Array.isArray(mine?.said) && mine.acked === false;
    if (newer) fill(mine.said);
    if (form().elements.note.value) form().querySelector(".note-field").open = true;
    unsent = newer;
    if (newer) later();
    return newer || "draft" in form().dataset;
  };

  // Seconds of work
  let active = 0;
  let before = performance.now();
  let touched = performance.now();
  const count = () => {
    const now = performance.now();
    const working = document.visibilityState === "visible" && now - touched < IDLE_MS;
    // A tab that slept does not make up for it.
    if (working) active += Math.min(now - before, 2_000) / 1000;
    before = now;
    return working;
  };
  const touch = () => {
    count();
    touched = performance.now();
  };
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"]) {
    document.addEventListener(name, touch, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", count);

  const body = () => {
    count();
    form().elements.active.value = active.toFixed(1);
    return new FormData(form());
  };

  const send = async () => {
    window.clearTimeout(timer);
    if (!form()) return;
    const token = tokenOf();
    const sent = JSON.stringify(said());
    sentAt = performance.now();
    unsent = false;
    try {
      const reply = await fetch(work.dataset.draft, {
        method: "POST", body: body(), keepalive: true, redirect: "error",
        headers: { Accept: "application/json" },
      });
      if (!reply.ok) throw new Error(String(reply.status));
      const found = await reply.json();
      if (!form() || tokenOf() !== token) return;
      const latest = JSON.stringify(said()) === sent;
      if (latest) keep(true);
      if (found.until) hold(new Date(found.until) - new Date(found.saved_at));
      hears({ ...found, latest });
    } catch {
      if (!form() || tokenOf() !== token) return;
      unsent = true;
      hears(null);
    }
  };
  function later() {
    window.clearTimeout(timer);
    timer = window.setTimeout(send, PAUSE_MS);
  }
  const changed = () => {
    if (!form()) return;
    keep(false);
    unsent = true;
    later();
  };

  // How long the pair stays reserved unless somebody works; said once when it runs out.
  // By the wall clock, as a machine that sleeps must not stretch it.
  let heldAt = Date.now();
  let heldFor = null;
  let told = false;
  const hold = (ms) => {
    heldAt = Date.now();
    heldFor = ms;
    told = false;
  };
  const watch = () => {
    const minutes = Number(form()?.dataset.minutes);
    if (told || !minutes || Date.now() - heldAt < (heldFor ?? minutes * 60_000)) return;
    told = true;
    lapses();
  };

  // The reservation is renewed while somebody works, whether they type or only read.
  window.setInterval(() => {
    if (count() && form() && performance.now() - sentAt > RENEW_MS) send();
    else watch();
  }, 1_000);
  window.addEventListener("online", () => {
    if (unsent) send();
  });
  window.addEventListener("pagehide", () => {
    if (form() && unsent) navigator.sendBeacon(work.dataset.draft, body());
  });

  sweep();
  window.evenhand = {
    ...window.evenhand,
    drafts: {
      changed,
      drop,
      keep: () => keep(false),
      restore,
      flush: () => (unsent ? send() : Promise.resolve()),
      cancel: () => window.clearTimeout(timer),
      hear: (act) => { hears = act; },
      lapse: (act) => { lapses = act; },
      start: () => {
        active = Number(form()?.dataset.active ?? 0);
        before = touched = sentAt = performance.now();
        unsent = false;
        hold(null);
      },
      seconds: () => body().get("active"),
    },
  };
})();

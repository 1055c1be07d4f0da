// How the texts are shown: what is folded, and columns that scroll together. Both are
// remembered in this browser.
(() => {
  "use strict";

  const work = document.getElementById("work");
  const recall = (name) => {
    try {
      return JSON.parse(window.localStorage.getItem(`evenhand:${name}`));
    } catch {
      return null;
    }
  };
  const remember = (name, value) => {
    try {
      window.localStorage.setItem(`evenhand:${name}`, JSON.stringify(value));
    } catch {
      // Then it holds for this page.
    }
  };

  // Of a text this many screens long the end would be out of reach: it gets a box.
  const SCREENS = 4;
  const slots = () => [...work.querySelectorAll(".slot")];
  const box = () => {
    for (const slot of slots()) slot.classList.remove("long");
    const long = slots().filter((one) => one.scrollHeight > SCREENS * window.innerHeight);
    if (long.length) for (const slot of slots()) slot.classList.add("long");
  };
  const apply = () => {
    const linked = document.getElementById("linked");
    if (!linked) return;
    linked.checked = recall("linked") === true;
    box();
    focusable(linked.checked);
    const folds = recall("folds") ?? {};
    for (const panel of work.querySelectorAll("[data-fold]")) {
      if (panel.dataset.fold in folds) panel.open = folds[panel.dataset.fold];
    }
  };
  // What scrolls by itself must be within reach of the keyboard.
  const focusable = (linked) => {
    for (const slot of slots()) {
      if (linked || slot.classList.contains("long")) slot.tabIndex = 0;
      else slot.removeAttribute("tabindex");
    }
  };

  document.addEventListener("change", (event) => {
    if (event.target.id !== "linked") return;
    remember("linked", event.target.checked);
    focusable(event.target.checked);
  });
  document.addEventListener("toggle", (event) => {
    const name = event.target.dataset?.fold;
    if (name) remember("folds", { ...recall("folds"), [name]: event.target.open });
  }, true);

  // Texts differ in length, so the columns keep the same share of their way.
  let follows = null;
  work.addEventListener("scroll", (event) => {
    const from = event.target;
    if (!(from instanceof Element) || !from.matches(".slot")) return;
    if (!document.getElementById("linked")?.checked) return;
    if (follows === from) {
      follows = null;
      return;
    }
    const to = slots().find((one) => one !== from);
    const way = (one) => one.scrollHeight - one.clientHeight;
    if (way(from) <= 0 || way(to) <= 0) return;
    const top = Math.round((from.scrollTop / way(from)) * way(to));
    if (Math.abs(to.scrollTop - top) < 1) return;
    follows = to;
    to.scrollTop = top;
  }, true);

  const show = (view) => {
    const links = [...work.querySelectorAll("[data-view]")];
    const now = links.find((one) => one.hasAttribute("aria-current"));
    const wanted = now?.dataset.view === view ? "rendered" : view;
    links.find((one) => one.dataset.view === wanted)?.click();
  };
  const link = () => document.getElementById("linked")?.click();

  apply();
  window.evenhand = { ...window.evenhand, view: { apply, show, link } };
})();

"use strict";
// Keys, live counts and the key of a link: everything works without this script, one page after the other.
const $ = (what, within = document) => within.querySelector(what);
const all = (what) => [...document.querySelectorAll(what)];

// The key of a link stands behind the hash, which browsers do not send.
const enter = $("#enter");
if (enter && location.hash.length > 20) {
  $("#key").value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  enter.submit();
}

// Rows: j and k move, Back returns to the row.
const rows = () => all("[data-row]").filter((row) => row.offsetParent);
const link = (row) => $(".says a", row) ?? $("a, summary, input, button", row);
const at = () => rows().findIndex((row) => row.contains(document.activeElement));
const move = (by) => {
  const some = rows();
  const row = some[Math.min(some.length - 1, Math.max(0, at() + by))];
  if (row) { link(row)?.focus(); row.scrollIntoView({ block: "nearest" }); }
};
document.addEventListener("focusin", (event) => {
  const row = event.target.closest?.("[data-row]");
  if (row) history.replaceState({ row: row.dataset.row }, "");
});
addEventListener("pageshow", () => {
  const row = history.state?.row && rows().find((one) => one.dataset.row === history.state.row);
  if (row) link(row)?.focus();
  else if (!location.hash) {
    const first = $("[data-focus]");
    // On a phone a field in focus has the keyboard over the page.
    const hidden = first?.matches("input, textarea") && matchMedia("(pointer: coarse)").matches;
    if (!hidden) first?.focus({ preventScroll: true });
    // Who says what is right instead types over what is wrong.
    if (first === document.activeElement && "chooses" in first.dataset) first.select();
  }
});

let chord = 0;
document.addEventListener("keydown", (event) => {
  const field = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
  // From a field, its own form; from elsewhere on the page, as after a preview, the one that keeps.
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    const button = $("button.main", field ? field.form : $("[data-keep]") ?? $("#keys"));
    if (button) { event.preventDefault(); button.form.requestSubmit(button); }
  }
  if (field && event.key === "Escape") field.blur();
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!("keys" in document.body.dataset) || $("dialog[open]")) return;
  const key = event.key;
  let done = true;
  if (Date.now() - chord < 1500) {
    chord = 0;
    all("[data-go]").find((one) => one.dataset.go === key)?.click();
  } else if (key === "g") chord = Date.now();
  else if (key === "j") move(1);
  else if (key === "k") move(-1);
  else if (key === "/") $("[data-search]")?.focus();
  else if (key === "n") all("[data-go=t]")[0]?.click();
  else if (key === "?") $("#keys").showModal();
  else if (key === "x") {
    const some = [...(rows()[at()]?.querySelectorAll("input") ?? [])];
    some[(some.findIndex((one) => one.checked) + 1) % some.length]?.click();
  }
  else if (key === "Escape" && at() >= 0) {
    document.activeElement.blur();
    history.replaceState(null, "");
    if ($("#aside")) $("#aside").hidden = true;
  } else if ("cpbmerhl".includes(key) && at() >= 0) { // about the card, not the row in focus
    done = false;
    const aside = $("#aside");
    if (aside) { aside.hidden = false; aside.scrollIntoView({ block: "nearest" }); }
  }
  else {
    const button = all("[data-key]").find((one) => one.dataset.key === key);
    done = Boolean(button);
    if (key === "z" && !button) {
      const further = $("[data-further]");
      if (further) further.focus(); // a step further back takes more than the same key
      else $("#undone").hidden = false;
    }
    button?.click();
    if (button?.matches("summary")) setTimeout(() => $("textarea", button.parentElement)?.focus());
  }
  if (done) event.preventDefault();
});

// Who types what is right means that choice.
document.addEventListener("input", (event) => {
  const chosen = event.target.dataset.chooses;
  if (chosen) $(`#${chosen}`).checked = true;
});

// How many are ticked stands on the button that decides on them.
const tick = () => {
  const ticked = all("[name^=pick-]:checked").map((one) => one.value).filter(Boolean);
  for (const count of all("[data-ticked]")) {
    const verdict = count.dataset.ticked;
    count.textContent = ticked.filter((one) => !verdict || one === verdict).length;
    count.closest("button").disabled = !ticked.length;
  }
};
document.addEventListener("change", tick);
addEventListener("pageshow", tick);

// Changes, by whichever process: offered, never put under the pointer.
const live = document.body.dataset.live;
let source = null;
let fresh = 0;
let last = new URLSearchParams(live?.split("?")[1]).get("since");
const say = (name, value) => all(`[data-count=${name}]`).forEach((one) => {
  one.textContent = value.toLocaleString(document.documentElement.lang);
});
const listen = () => {
  if (!live || source) return;
  const where = new URL(live, location);
  where.searchParams.set("since", last);
  source = new EventSource(where);
  source.onopen = () => { $("#offline").hidden = true; };
  source.onerror = () => {
    const bar = $("#offline");
    if (bar.hidden) $("time", bar).textContent = new Date().toTimeString().slice(0, 5);
    bar.hidden = false;
    if (source.readyState === 2) { source = null; setTimeout(listen, 5000); }
  };
  source.addEventListener("change", (event) => {
    const told = JSON.parse(event.data);
    last = event.lastEventId;
    say("memories", told.memories);
    say("waiting", told.waiting);
    fresh += told.new.length;
    if (fresh) { $("#news b").textContent = fresh; $("#news").hidden = false; }
  });
};
const stop = () => { source?.close(); source = null; };
let hiding = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(stop, 30000);
  else listen();
});
addEventListener("pagehide", stop);
addEventListener("pageshow", listen);

// What takes longer is counted beside the page: it comes by itself, unless somebody is at work here.
const busy = ["keydown", "pointerdown"];
let touched = false;
busy.forEach((what) => addEventListener(what, () => { touched = true; }, { once: true }));
const counted = async () => {
  const page = await (await fetch(location)).text();
  if (/<body[^>]* data-later/.test(page)) setTimeout(counted, 1000);
  else if (touched || $(".notice")) $("#news").hidden = false;
  else location.reload();
};
if ("later" in document.body.dataset) setTimeout(counted, 500);

// The first steps are ticked off by commands that change no memory, so that nothing tells of them.
if ("again" in document.body.dataset) {
  setInterval(async () => {
    const page = await (await fetch(location)).text();
    const done = page.split('class="done"').length - 1;
    if (done > all(".done").length && !$("textarea")?.value) location.reload();
  }, 2000);
}

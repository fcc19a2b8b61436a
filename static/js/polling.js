// What asks again by itself does so only while somebody looks, and takes nothing away from under a selection, an
// open list or a press: neither when it asks nor when the answer is there.
function isInUse(part) {
  const selection = document.getSelection();
  return (!selection.isCollapsed && part.contains(selection.anchorNode)) || part.querySelector("select:focus, :popover-open, :active") !== null;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const asker = event.detail.elt;
  if (asker.hasAttribute("data-poll") && (document.hidden || isInUse(event.detail.target))) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const asker = event.detail.requestConfig.elt;
  if (asker.hasAttribute("data-poll") && isInUse(event.detail.target)) event.detail.shouldSwap = false;
});

// What a reader has unfolded, or folded, stays so when the part around it is drawn anew.
const unfolded = new Map();
document.addEventListener("toggle", (event) => { if (event.target.id) unfolded.set(event.target.id, event.target.open); }, true);
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, isOpen] of unfolded) document.getElementById(id)?.toggleAttribute("open", isOpen);
});

// What somebody picks while an answer is under way stays picked in it.
let picked = new Set();
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  picked = new Set(target.hasAttribute("data-picks") ? Array.from(target.querySelectorAll(":checked"), (input) => input.value) : []);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const input of document.querySelectorAll("[data-picks] input[type=radio]:enabled")) input.checked ||= picked.has(input.value);
});

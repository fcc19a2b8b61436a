// What asks again by itself does so only while somebody looks, and never under a selection or an open list.
function isInUse(part) {
  const selection = document.getSelection();
  return (!selection.isCollapsed && part.contains(selection.anchorNode)) || part.querySelector("select:focus, :popover-open") !== null;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const asker = event.detail.elt;
  if (asker.hasAttribute("data-poll") && (document.hidden || isInUse(event.detail.target))) event.preventDefault();
});

// What a reader has unfolded, or folded, stays so when the part around it is drawn anew.
const unfolded = new Map();
document.addEventListener("toggle", (event) => { if (event.target.id) unfolded.set(event.target.id, event.target.open); }, true);
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, isOpen] of unfolded) document.getElementById(id)?.toggleAttribute("open", isOpen);
});

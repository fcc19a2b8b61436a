// A button with data-copy="ID" copies the text of that element and says so in its own word for a moment.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const word = button.querySelector("[data-word]");
  const usual = button.dataset.usual ?? word.textContent;
  button.dataset.usual = usual;
  try {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    word.textContent = "Copied";
  } catch {
    // Without HTTPS there is no clipboard: select it, so that the keys for copying work.
    document.getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
    word.textContent = "Selected";
  }
  setTimeout(() => { word.textContent = usual; }, 2000);
});

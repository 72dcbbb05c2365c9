/* A file that is dropped anywhere on the page is sent by the form that takes one. */
for (const type of ['dragover', 'drop']) {
  document.addEventListener(type, (event) => {
    const field = document.querySelector('form[data-drop] input[type=file]');
    if (!field || !event.dataTransfer.types.includes('Files')) return;
    // Else the browser shows the file in place of the page.
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (type !== 'drop' || !file) return;
    // Of several, the first: the field takes one.
    const taken = new DataTransfer();
    taken.items.add(file);
    field.files = taken.files;
    field.form.requestSubmit();
  });
}

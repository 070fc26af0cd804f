/**
 * Files dropped on the page, pasted into it or chosen. Sent one by one, each with how far it has come; or,
 * in a form that is sent as a whole (`data-upload="fill"`), put among its files. Without script the form is
 * a form.
 */
const form = document.querySelector('form[data-upload]');
const input = form?.querySelector('input[type=file]');
const list = form?.querySelector('[data-uploads]');
const isFilled = form?.dataset.upload === 'fill';
let isSending = false;

const filesOf = (transfer) => [...(transfer?.files ?? [])];
const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

function take(files) {
  if (files.length === 0) return;
  if (isFilled) fill(files);
  else void sendAll(files);
}

function fill(files) {
  const all = new DataTransfer();
  for (const file of [...input.files, ...files]) all.items.add(file);
  input.files = all.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  show([...input.files].map((file) => file.name));
}

function show(lines) {
  list.hidden = lines.length === 0;
  list.replaceChildren(...lines.map(lineOf));
}

function lineOf(text) {
  const line = document.createElement('li');
  line.textContent = text;
  return line;
}

async function sendAll(files) {
  if (isSending) return;
  isSending = true;
  form.setAttribute('aria-busy', 'true');
  const rows = files.map((file) => rowOf(file));
  list.hidden = false;
  list.replaceChildren(...rows.map(({ line }) => line));
  let refused = 0;
  for (const [index, file] of files.entries()) {
    const message = await send(file, rows[index].bar);
    rows[index].say(message ?? 'klar');
    if (message !== null) refused += 1;
  }
  isSending = false;
  form.removeAttribute('aria-busy');
  input.value = '';
  // What was taken is on the page; what was not is still to be read.
  if (refused === 0) window.location.reload();
  else if (refused < files.length) list.append(goOn());
}

function rowOf(file) {
  const line = lineOf('');
  const name = document.createTextNode(`${file.name} `);
  const bar = document.createElement('progress');
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', file.name);
  line.append(name, bar);
  const say = (text) => {
    bar.remove();
    // What the server refuses begins with the name already.
    const isNamed = text.startsWith(`${file.name}:`);
    name.data = isNamed ? text : `${file.name} – ${text}`;
    line.classList.toggle('error', text !== 'klar');
  };
  return { line, bar, say };
}

function goOn() {
  const line = document.createElement('li');
  const link = document.createElement('a');
  link.href = window.location.href;
  link.textContent = 'Visa de filer som kom fram';
  line.append(link);
  return line;
}

/** Null when it was taken, otherwise why not. */
function send(file, bar) {
  const body = new FormData();
  body.append('_csrf', form.elements._csrf.value);
  body.append(input.name, file, file.name);
  return new Promise((resolve) => {
    const call = new XMLHttpRequest();
    call.open('POST', form.action);
    call.setRequestHeader('accept', 'text/html');
    call.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) bar.value = loaded / total;
    });
    call.addEventListener('load', () => resolve(answerOf(call)));
    call.addEventListener('error', () => resolve('kom inte fram; försök igen'));
    call.send(body);
  });
}

function answerOf(call) {
  const isElsewhere = new URL(call.responseURL).pathname.startsWith('/logga-in');
  if (isElsewhere) return 'du är utloggad; logga in och skicka den igen';
  if (call.status < 400) return null;
  const page = new DOMParser().parseFromString(call.responseText, 'text/html');
  const said = page.querySelector('main [role=alert]')?.textContent.trim();
  return said || `togs inte emot (${call.status})`;
}

if (form) {
  for (const hint of form.querySelectorAll('[data-drop-hint]')) hint.hidden = false;
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) form.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.remove('dropping');
    take(filesOf(event.dataTransfer));
  });
  document.addEventListener('paste', (event) => {
    const files = filesOf(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
  form.addEventListener('submit', (event) => {
    if (isFilled || input.files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    void sendAll([...input.files]);
  });
}

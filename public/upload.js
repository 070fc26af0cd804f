/**
 * Files dropped on the page, pasted into it or chosen. Sent one by one, each with how far it has come; or,
 * in a form that is sent as a whole (`data-upload="fill"`), put among its files. Without script the form is
 * a form.
 */
const form = document.querySelector('form[data-upload]');
const input = form?.querySelector('input[type=file]');
const list = form?.querySelector('[data-uploads]');
const isFilled = form?.dataset.upload === 'fill';
/** Those that the form is sent with: what is chosen or dropped comes beside what there is already. */
let held = [];
/** Those that are still to be sent, each with its row; null while nothing is on its way. */
let queue = null;

const filesOf = (transfer) => [...(transfer?.files ?? [])];
const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

function take(files) {
  if (files.length === 0) return;
  if (isFilled) hold([...held, ...files]);
  else void sendAll(files);
}

const isSame = (one, other) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

function hold(files) {
  held = files.filter((file, at) => at === files.findIndex((one) => isSame(one, file)));
  const all = new DataTransfer();
  for (const file of held) all.items.add(file);
  input.files = all.files;
  list.hidden = held.length === 0;
  list.replaceChildren(...held.map(heldLineOf));
}

function heldLineOf(file) {
  const line = lineOf(`${file.name} `);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.textContent = 'Ta bort';
  button.setAttribute('aria-label', `Ta bort ${file.name}`);
  button.addEventListener('click', () => {
    hold(held.filter((one) => one !== file));
    input.focus();
  });
  line.append(button);
  return line;
}

function lineOf(text) {
  const line = document.createElement('li');
  line.textContent = text;
  return line;
}

/** What comes while others are on their way goes after them. */
async function sendAll(files) {
  const rows = files.map((file) => ({ file, ...rowOf(file) }));
  if (queue !== null) {
    list.append(...rows.map(({ line }) => line));
    queue.push(...rows);
    return;
  }
  queue = rows;
  form.setAttribute('aria-busy', 'true');
  list.hidden = false;
  list.replaceChildren(...rows.map(({ line }) => line));
  let taken = 0;
  let refused = 0;
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    const message = await send(row.file, row.bar);
    row.say(message ?? 'klar');
    if (message === null) taken += 1;
    else refused += 1;
  }
  queue = null;
  form.removeAttribute('aria-busy');
  input.value = '';
  // What was taken is on the page; what was not is still to be read.
  if (refused === 0) window.location.reload();
  else if (taken > 0) list.append(goOn());
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
  // Answered where it was sent, so that a form that is no file could go on after the login.
  if (call.status === 401) return 'du är utloggad; ladda om sidan, logga in och skicka den igen';
  if (call.status < 400) return null;
  const page = new DOMParser().parseFromString(call.responseText, 'text/html');
  // Where the form comes back it says so itself; else it is a page that says nothing else.
  const said = page.querySelector('main [role=alert], main [data-refusal]')?.textContent.trim();
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
  if (isFilled) input.addEventListener('change', () => hold([...held, ...input.files]));
  // Whoever leaves while files are on their way is asked first.
  window.addEventListener('beforeunload', (event) => {
    if (queue !== null) event.preventDefault();
  });
  form.addEventListener('submit', (event) => {
    if (isFilled || input.files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    void sendAll([...input.files]);
  });
}

/**
 * A form that is kept while one types: a moment after the last key what stands in it is sent to be kept, and
 * the address of the page becomes the one that shows it again, so that Back and a reload do. Whoever leaves
 * it unsent is asked first. While the server is away nothing is sent, since the browser would show a page of its
 * own and forget what the server has not got.
 */
import { say } from './language.js';

const field = document.querySelector('input[name="_begun"]');
const form = field?.form;
const wait_ms = 800;
const again_ms = 3_000;
const patience_ms = 10_000;

let isChanged = false;
let isSent = false;
/** How often something has been typed, and how often when the server last answered to what was. */
let edits = 0;
let answered = 0;
let isHeld = false;
let timer;
const away = document.createElement('p');
away.className = 'warning';
away.setAttribute('role', 'alert');

function typed() {
  const pairs = [...new FormData(form)].filter(
    ([name, value]) => typeof value === 'string' && name !== '_once',
  );
  return new URLSearchParams([...pairs, ['_address', field.dataset.address]]);
}

/** Fails when the server is away. */
async function keep(options = { signal: AbortSignal.timeout(patience_ms) }) {
  clearTimeout(timer);
  timer = undefined;
  const upTo = edits;
  const target = `/paborjat/${field.value}`;
  try {
    const answer = await fetch(target, {
      method: 'POST',
      body: typed(),
      redirect: 'manual',
      ...options,
    });
    if (answer.status >= 500) throw new Error(`${answer.status}`);
    answered = upTo;
    away.remove();
    // Kept is answered with the way to the page; anything else, and the question on leaving remains.
    if (answer.type !== 'opaqueredirect' || isSent) return;
    const address = new URL(window.location.href);
    address.searchParams.set('fortsatt', field.value);
    window.history.replaceState(window.history.state, '', address);
  } catch (error) {
    tellAway();
    throw error;
  }
}

function tellAway() {
  if (isSent) return;
  if (!away.isConnected) {
    away.textContent = say(
      'Servern svarar inte. Det du har skrivit finns kvar här på sidan, och skickas inte förrän den svarar igen.',
      'The server does not answer. What you have typed is still here on the page, and is not sent until it answers again.',
    );
    const main = form.querySelector('button.main') ?? form.querySelector('button[type=submit]');
    (main?.closest('.actions') ?? form.lastElementChild).before(away);
  }
  keepIn(again_ms);
}

function keepIn(ms) {
  clearTimeout(timer);
  timer = setTimeout(() => keep().catch(() => undefined), ms);
}

/** What the server has not got waits until it has, or has said something else of it. */
function hold(event) {
  if (event.target !== form || answered === edits) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isHeld) return;
  isHeld = true;
  const { submitter } = event;
  keep()
    .then(
      () => form.requestSubmit(submitter),
      () => undefined,
    )
    .finally(() => {
      isHeld = false;
    });
}

if (form) {
  form.addEventListener('input', () => {
    isChanged = true;
    edits += 1;
    keepIn(wait_ms);
  });
  // Before the page asks whether it really is to be sent.
  document.addEventListener('submit', hold, { capture: true });
  // After it has.
  document.addEventListener('submit', (event) => {
    if (event.target !== form || event.defaultPrevented) return;
    isSent = true;
    clearTimeout(timer);
  });
  window.addEventListener('pageshow', () => {
    isSent = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (isChanged && !isSent) event.preventDefault();
  });
  window.addEventListener('pagehide', () => {
    if (timer !== undefined && !isSent) keep({ keepalive: true }).catch(() => undefined);
  });
}

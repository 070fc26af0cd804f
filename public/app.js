/**
 * What saves a person a reload or a reach for the mouse. Every page works without it: forms are plain
 * forms, links are plain links.
 */

import './accounts.js';
import './day-fields.js';
import { say } from './language.js';

const isTyping = (element) =>
  element?.matches('input, textarea, select, [contenteditable]') ?? false;

/** `/` search · `j` `k` through a list · `n` the page's main task · `?` help. */
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(document.activeElement) || document.querySelector('dialog[open]')) return;
  const does = keys[event.key];
  if (does?.()) event.preventDefault();
});

const keys = {
  '/': () => focus(document.querySelector('[data-search]')),
  j: () => step(1),
  k: () => step(-1),
  n: () => click(document.querySelector('[data-main]')),
  '?': () => {
    document.querySelector('#keyboard-help')?.showModal();
    return true;
  },
};

function focus(element) {
  element?.focus();
  element?.select?.();
  return Boolean(element);
}

function click(element) {
  element?.click();
  return Boolean(element);
}

function step(by) {
  // In a list that is decided row by row, the row's yes rather than its page.
  const links = [...document.querySelectorAll('[data-list] .row-link')].map(
    (link) => link.closest('tr')?.querySelector('[data-decide]') ?? link,
  );
  if (links.length === 0) return false;
  const at = links.indexOf(document.activeElement);
  const next = at === -1 ? (by > 0 ? 0 : links.length - 1) : at + by;
  return focus(links[Math.min(Math.max(next, 0), links.length - 1)]);
}

/** Enter in a field of what cannot be undone moves on, as Tab does; a button is pressed by pressing it, or with Ctrl from anywhere. */
document.addEventListener('keydown', (event) => {
  const { target, key, defaultPrevented, isComposing } = event;
  if (key !== 'Enter' || defaultPrevented || isComposing) return;
  if (!target.form?.querySelector('[data-enter]')) return;
  if ((event.ctrlKey || event.metaKey) && target.tagName !== 'BUTTON') {
    event.preventDefault();
    const press = (button) => target.form.querySelector(button);
    const main = press('button.main') ?? press('button[type=submit]:not([data-enter], [name])');
    if (!event.repeat) target.form.requestSubmit(main);
    return;
  }
  if (target.tagName === 'BUTTON') {
    // Held down, it would come from the last field to the button and press that.
    if (event.repeat) event.preventDefault();
    return;
  }
  if (!['INPUT', 'SELECT'].includes(target.tagName)) return;
  event.preventDefault();
  const fields = [...target.form.elements].filter(
    (one) => !one.disabled && one.tabIndex >= 0 && one.type !== 'hidden' && one.checkVisibility(),
  );
  focus(fields[fields.indexOf(target) + 1]);
});

/** Copies the text of what `data-copy` points at. */
document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-copy]');
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  const label = button.textContent;
  button.textContent = say('Kopierat', 'Copied');
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
});

/** Asks before what cannot be undone, and holds a form that is on its way. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  const question = event.submitter?.dataset.confirm ?? form.dataset.confirm;
  if (question && !window.confirm(question)) {
    event.preventDefault();
    return;
  }
  if (form.method !== 'post') return;
  // After the browser has read the form, or the button's own value would be lost.
  setTimeout(() => {
    for (const button of form.querySelectorAll('button[type=submit]')) button.disabled = true;
    form.setAttribute('aria-busy', 'true');
    // Whatever is typed now is gone when the next page comes, as while a large file is on its way.
    form.inert = true;
  });
});

/**
 * A file that is dropped beside its field goes into the only one there is; the browser would leave the page, and what
 * was typed on it, to show the file. Pages with more to do with files do it themselves.
 */
for (const name of ['dragover', 'drop']) {
  // At the window: after what the page's own script does at the document.
  window.addEventListener(name, (event) => {
    const isOurs = [...(event.dataTransfer?.types ?? [])].includes('Files');
    if (!isOurs || event.defaultPrevented || event.target.matches?.('input[type=file]')) return;
    event.preventDefault();
    const [field, another] = document.querySelectorAll('main input[type=file]');
    if (name === 'dragover' || !field || another) return;
    const { files } = event.dataTransfer;
    if (files.length > 1 && !field.multiple) return;
    field.files = files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    field.focus();
  });
}

/** A form that was on its way can be used again: one came back to it by the browser's own button, or stopped it by Esc. */
function release() {
  for (const form of document.querySelectorAll('form[aria-busy]')) {
    form.removeAttribute('aria-busy');
    form.inert = false;
    for (const button of form.querySelectorAll('button[type=submit]')) button.disabled = false;
  }
}
window.addEventListener('pageshow', release);
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') release();
});

/** A filter that is chosen is a filter that is wanted: no extra click. */
document.addEventListener('change', (event) => {
  if (event.target.matches('form[data-filter] select, form[data-filter] input[type=checkbox]')) {
    event.target.form.requestSubmit();
  }
});

/** `data-poll="/adress"`: the element is fetched anew every other second until it no longer asks. */
function poll(element) {
  setTimeout(async () => {
    try {
      const answer = await fetch(element.dataset.poll, { headers: { accept: 'text/html' } });
      if (!answer.ok || answer.redirected) return;
      const holder = document.createElement('template');
      holder.innerHTML = await answer.text();
      const fresh = holder.content.firstElementChild;
      if (!fresh) return;
      element.replaceWith(fresh);
      if (fresh.dataset.poll) poll(fresh);
      // Whoever has waited goes on with Enter.
      else if (document.activeElement === document.body) fresh.querySelector('.main')?.focus();
    } catch {
      poll(element);
    }
  }, 2000);
}
for (const element of document.querySelectorAll('[data-poll]')) poll(element);

/**
 * `data-live`: a list that others add to is fetched anew while somebody looks at the page, as long as
 * nothing in it is ticked or being typed. An hour nobody touches is nobody's: the session may then end.
 */
const LIVE_EVERY_MS = 15_000;
const LIVE_AT_MOST_MS = 3_600_000;
let touchedAt = Date.now();
for (const event of ['keydown', 'pointerdown', 'scroll']) {
  document.addEventListener(event, () => (touchedAt = Date.now()), { passive: true });
}

async function refreshLive() {
  const live = document.querySelector('[data-live]');
  const isBusy =
    document.hidden ||
    Date.now() - touchedAt > LIVE_AT_MOST_MS ||
    window.location.hash === '#meny' ||
    live.contains(document.activeElement) ||
    live.querySelector('input:checked, form[aria-busy]') ||
    [...live.querySelectorAll('textarea')].some((one) => one.value !== one.defaultValue);
  if (isBusy) return;
  const answer = await fetch(window.location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const place of ['[data-live]', '.nav']) {
    const [here, there] = [document.querySelector(place), page.querySelector(place)];
    if (here && there && contentOf(here) !== contentOf(there)) here.replaceWith(there);
  }
  document.dispatchEvent(new Event('refreshed'));
}

/** Without the secrets of its forms, which are new each time. */
const contentOf = (element) =>
  element.innerHTML.replace(/name="_(?:csrf|once)" value="[^"]*"/g, '');

if (document.querySelector('[data-live]')) {
  setInterval(() => refreshLive().catch(() => undefined), LIVE_EVERY_MS);
}

/** A table that needs no scrolling sideways lets its head stay at the top of the window. */
const fits = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const frame = target.closest('.table-frame');
    frame.classList.toggle('fits', target.offsetWidth <= frame.clientWidth);
  }
});
function watchTables() {
  for (const table of document.querySelectorAll('.table-frame:not(.raw) > table')) {
    fits.observe(table);
  }
}
document.addEventListener('refreshed', watchTables);
watchTables();

/** On a narrow screen the menu lies over the page; it closes as a dialog does. */
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || window.location.hash !== '#meny') return;
  window.location.hash = '#innehall';
  document.querySelector('.menu-link')?.focus();
});

/** A form that was refused: the hands go to what is to be mended. */
document.querySelector('main [aria-invalid="true"]')?.focus();

/** After logging in again: back into the form, as one was before. */
document.querySelector('form[data-way-back]')?.requestSubmit();

/** A form that was refused: Back and a reload lead to what was typed, and not to a question of the browser's. */
const { resume } = document.querySelector('main')?.dataset ?? {};
if (resume) window.history.replaceState(window.history.state, '', resume);

/**
 * Browsers of Apple make a JPEG of a picture in HEIC for a form that takes no HEIC, of the first type it takes;
 * others would not let it be chosen. `docs/decisions/0013-heic.md`.
 */
if (navigator.vendor.startsWith('Apple')) {
  for (const input of document.querySelectorAll('input[type=file][accept*=heic]')) {
    const others = input.accept.split(',').filter((type) => !/heic|jpeg/.test(type));
    input.accept = ['image/jpeg', ...others].join(',');
  }
}

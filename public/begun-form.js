/**
 * A form that is kept while one types: a moment after the last key what stands in it is sent to be kept, and
 * the address of the page becomes the one that shows it again, so that Back and a reload do. Whoever leaves
 * it unsent is asked first.
 */
const field = document.querySelector('input[name="_begun"]');
const form = field?.form;
const wait_ms = 800;

let isChanged = false;
let isSent = false;
let timer;

function typed() {
  const pairs = [...new FormData(form)].filter(
    ([name, value]) => typeof value === 'string' && name !== '_once',
  );
  return new URLSearchParams([...pairs, ['_address', field.dataset.address]]);
}

async function keep(options = {}) {
  clearTimeout(timer);
  timer = undefined;
  const target = `/paborjat/${field.value}`;
  const answer = await fetch(target, {
    method: 'POST',
    body: typed(),
    redirect: 'manual',
    ...options,
  });
  // Kept is answered with the way to the page; anything else, and the question on leaving remains.
  if (answer.type !== 'opaqueredirect' || isSent) return;
  const address = new URL(window.location.href);
  address.searchParams.set('fortsatt', field.value);
  window.history.replaceState(window.history.state, '', address);
}

if (form) {
  form.addEventListener('input', () => {
    isChanged = true;
    clearTimeout(timer);
    timer = setTimeout(() => keep().catch(() => undefined), wait_ms);
  });
  // After the page has asked whether it really is to be sent.
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

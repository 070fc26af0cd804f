/**
 * Reads pages and sends their forms inside a browser, without showing them: whether a form may be sent is
 * the browser's own judgement (`checkValidity`), and what it sends is what the browser would send.
 */
const read = async (asked) => {
  const answer = await fetch(asked);
  const isPage = (answer.headers.get('content-type') ?? '').startsWith('text/html');
  const text = isPage ? await answer.text() : '';
  const page = new DOMParser().parseFromString(text, 'text/html');
  const forms = [...page.forms].filter((form) => methodOf(form) !== 'DIALOG');
  return { status: answer.status, page, forms, address: answer.url };
};
const methodOf = (form) => (form.getAttribute('method') ?? 'get').toUpperCase();
const targetOf = (form, address) => new URL(form.getAttribute('action') ?? address, address);
const invalidIn = (form) =>
  form.noValidate
    ? []
    : [...form.elements].filter((one) => one.willValidate && !one.validity.valid);
/** What a person would press: the main button, or the first that is seen. */
const buttonOf = (form) =>
  form.querySelector('button.main[type=submit]') ??
  form.querySelector('button[type=submit]:not([aria-hidden])');

/** Several pages at once: the server has hands for them. */
globalThis.lookAt = (addresses) => Promise.all(addresses.map(look));

async function look(asked) {
  const { status, page, forms, address } = await read(asked);
  return {
    address: asked,
    status,
    links: [...page.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href')),
    forms: forms.map((form) => ({
      method: methodOf(form),
      path: targetOf(form, address).pathname,
      blocked: invalidIn(form).map(({ name }) => name),
      // What asks to be chosen says so; any other word for nothing is a choice.
      odd: [...form.querySelectorAll('select[required]')]
        .filter((one) => one.options[0]?.value === '' && !/^Välj/.test(one.options[0].label))
        .map(({ name }) => name),
    })),
  };
}

function type(form, asked, value) {
  const [name, ...optional] = asked.split('?');
  const place = form.elements.namedItem(name);
  const [one = place] = place instanceof RadioNodeList ? place : [];
  if (!one && optional.length > 0) return;
  if (!one) throw new Error(`There is no field ${name}.`);
  if (one.type === 'file') {
    const files = new DataTransfer();
    files.items.add(new File(['Kvitto'], value, { type: 'text/plain' }));
    one.files = files.files;
  } else if (one.type === 'checkbox') one.checked = true;
  else one.value = one.options ? one.querySelector('option:not([value=""])').value : value;
}

/** Fills and sends the form of a page; what stopped it, in words, or nothing. */
globalThis.sendForm = async ({ address: asked, method, path, typed }) => {
  const { forms, address } = await read(asked);
  const form = forms.find(
    (one) => methodOf(one) === method && targetOf(one, address).pathname === path,
  );
  if (!form) return { isGone: true, faults: [] };
  for (const [name, value] of Object.entries(typed)) type(form, name, value);
  const invalid = invalidIn(form);
  if (invalid.length > 0) {
    return { faults: invalid.map((one) => `${one.name}: ${one.validationMessage}`) };
  }
  const fields = new FormData(form, buttonOf(form));
  const isMultipart = form.enctype === 'multipart/form-data';
  const body = isMultipart ? fields : new URLSearchParams([...fields]);
  const target = targetOf(form, address);
  if (method === 'GET') target.search = String(body);
  const sent = method === 'GET' ? {} : { body };
  const answer = await fetch(target, { method, redirect: 'manual', ...sent });
  if (answer.type === 'opaqueredirect' || answer.ok) return { faults: [] };
  const said = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const words = [...said.querySelectorAll('main :is(.fault, .error, h1)')];
  const sentences = words.map((one) => one.textContent.replace(/\s+/g, ' ').trim());
  return { faults: [`${answer.status} ${sentences.join(' · ')}`] };
};

/**
 * Every form of a role. Filters, and forms that open with what is known, can be sent as they stand; every
 * other, filled with the least a person would give, is let through by the browser and by the server.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#src/access/users/roles.ts';
import { PASSWORD } from '../support/person.ts';
import { openSite, type Site } from './browser.ts';
import { isFile, kindOf } from './walk.ts';

const inPage = readFileSync(new URL('forms-in-page.js', import.meta.url), 'utf8');

/**
 * The least that is typed into what begins empty; what is not listed is sent as it stands. A name that ends in
 * `?` is typed where the form has it: which of the books a walk meets first is the workers' to say.
 */
const leastOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /verifikat/ny': {
    description: 'Porto',
    'rows[0].account': '6250',
    'rows[0].debit': '22',
    'rows[1].account': '1930',
    'rows[1].credit': '22',
  },
  'POST /verifikat/:id/bilagor': { files: 'kvitto.txt' },
  'POST /underlag': { files: 'kvitto.txt' },
  'POST /underlag/foreslagna': { document: 'the first' },
  'POST /underlag/:id/verifikat': { voucher: 'A1 2026' },
  'POST /underlag/:id/undan': { reason: 'Privat' },
  'POST /sie/import': { file: 'bok.se' },
  'POST /kundfakturor/ny': {
    customer: 'Restaurang Sjöboden',
    'rows[0].description': 'Service',
    'rows[0].unitPrice': '100',
  },
  'POST /aterkommande/ny': {
    customer: 'Restaurang Sjöboden',
    'rows[0].description': 'Service {månad}',
    'rows[0].unitPrice': '100',
  },
  'POST /kundfakturor/:id/avskrivning': { reason: 'Konkurs' },
  'POST /kundfakturor/:id/avskrivning-ater': { reason: 'Fel faktura' },
  'POST /kundfakturor/:id/paus': { kind: 'promise' },
  'POST /paminnelser': { reminder: 'the first' },
  'POST /kundfakturor/:id/tvist': { reason: 'Varan kom trasig' },
  'GET /order/:id/faktura': { kurs: '11,25' },
  'POST /order/:id/faktura': {
    customer: 'Restaurang Sjöboden',
    'rows[0].description': 'Bryggare',
    'rows[0].vatRate': '25',
    'rows[0].unitPrice': '100',
  },
  'POST /bank/import': { files: 'utdrag.csv' },
  'POST /bank/konton/nytt': { name: 'Plusgiro', ledgerAccount: '1920' },
  'POST /bank/konton/:id/rad': { amount: '100', description: 'Insättning' },
  'POST /bank/konton/:id/saldo': { balance: '1 000' },
  'POST /bank/regler': { text: 'Autogiro', account: '6212' },
  'POST /bank/avrakningar/ny': {
    provider: 'Zettle',
    number: 'Z-1',
    sold: '100',
    fee: '10',
    payout: '90',
    files: 'kvitto.txt',
  },
  'POST /bank/:id/bokfor': { account: '6570' },
  'POST /forslag/godkann': { proposal: 'the first' },
  'POST /forslag/avvisa': { reason: 'Redan bokfört' },
  'POST /periodiseringar/ny': {
    description: 'Försäkring',
    amount: '1 200',
    resultAccount: '6310',
    months: '12',
  },
  'POST /manadsavslut': { reason: 'Stämmer i övrigt' },
  'POST /manadsavslut/oppna': { reopenReason: 'En faktura kom för sent' },
  'POST /moms/:n-:n-:n/inte-lamnad': { reason: 'Lämnades aldrig' },
  'POST /order/forsok-igen': { order: 'the first' },
  'POST /order/:id/avvisa': { reason: 'Provorder' },
  'POST /dagskassor/:id/avvisa': { reason: 'Bokförd för hand' },
  'POST /betalningar/:id/avbryt': { reason: 'Fel konto' },
  'POST /leverantorsinkorg/avvisa': { purchase: 'the first', reason: 'Dubblett' },
  'POST /leverantorsinkorg/ny': {
    supplier: 'Bothnia Energi',
    invoiceNumber: 'PAPPER-1',
    total: '125',
    'rows[0].account': '5020',
  },
  'POST /leverantorsinkorg/utlagg': {
    laidOutBy: 'Anna Ek',
    sellerName: 'Järnhandeln',
    total: '125',
    'rows[0].account': '5460',
  },
  // A rate stands at a purchase in another currency only.
  'POST /leverantorsinkorg/:id/forslag': { 'rate?': '11,25' },
  'POST /leverantorsinkorg/:id/leverantor': { supplier: 'the first' },
  'POST /leverantorsinkorg/:id/avvisa': { reason: 'Inte vår' },
  'POST /kunder/ny': { name: 'Ny Kund AB' },
  'POST /leverantorer/ny': { name: 'Ny Leverantör AB' },
  'POST /leverantorer/:id/konton': { number: '5050-1055' },
  'POST /artiklar/ny': { number: 'PROV-1', description: 'Prov' },
  'POST /kontoplan/nytt': { number: '6251', name: 'Frimärken' },
  'POST /dimensioner/ny': { code: 'P1', name: 'Prov' },
  'POST /serier/ny': { code: 'Q', name: 'Prov' },
  'POST /rakenskapsar/:n/stang': { typed: '2026' },
  'POST /installningar/byranycklar': { name: 'Byrån' },
  'POST /installningar/anvandare/ny': { email: 'ny@exempel.se' },
  'POST /installningar/api-nycklar/ny': { name: 'Butiken', scopes: 'the first' },
  'POST /installningar/webhooks/ny': { url: 'https://exempel.se/hook' },
  'POST /installningar/referensrantor/ny': { percent: '2,5' },
  'POST /mitt-konto/losenord': { password: PASSWORD, next: 'nio blå berg', again: 'nio blå berg' },
};
const notHere = new Set([
  // A file to save is no page to come to (test/pages/sie.test.ts).
  'GET /sie/export',
  // Nor are these (test/pages/vat.test.ts).
  'GET /moms/periodisk-sammanstallning/:n-:n/skv:n.txt',
  'GET /moms/periodisk-sammanstallning/:n-Q:n/skv:n.txt',
  // What mends a filed return stands after it (test/pages/vat.test.ts).
  'POST /moms/:n-:n-:n/rattelser',
  // A code from a device is no text to type (test/browser/second-factor.test.ts).
  'POST /mitt-konto/andra-steget/pa',
  // What a bank row is matched with has to be of its amount (test/pages/bank.test.ts).
  'POST /bank/:id/faktura',
  'POST /bank/:id/verifikat',
  // What a row is split into, or made up of with others, has to come to it (test/pages/bank-splitting.test.ts).
  'POST /bank/:id/dela',
  'POST /bank/:id/flera-rader',
  // What brings a payout has to be just that (test/http/settlements.test.ts), and what is paired has to even out
  // (test/pages/open-items.test.ts).
  'POST /bank/avrakningar/:id',
  'POST /kontoplan/:n/poster',
  // A bank answers a file that it has got (test/pages/payments.test.ts).
  'POST /betalningar/svar',
  // What it would pay is paid by another form before (test/browser/payments.test.ts).
  'POST /betalningar/ny',
  // Nobody moves in where books have begun (test/browser/moving-in.test.ts).
  'POST /flytta-in',
  // Books in a month that the example company has locked (test/pages/fiscal-years.test.ts).
  'POST /rakenskapsar/:n/ingaende/omforing',
  // Nobody is left to send the rest (test/pages/own-account.test.ts).
  'POST /mitt-konto/sessioner/alla',
]);
/** What is sent late, since others would find their form gone; the last ends the session. */
const late = [
  // Nothing is left to remind of, and then nothing to write off.
  /kundfakturor\/:id\/avskrivning$/,
  /kundfakturor\/:id\/betalning/,
  /kredit/,
  // A row that has a proposal can be booked by hand as well, but not the other way round.
  /bank\/:id\/godkann/,
  /bokfor|angra|ta-bort|aterkalla|avvisa|stang|losenord|order\/:id\/faktura/,
  /bank\/godkann/,
  // Tells of what mends it, which then stays.
  /moms\/:n-:n-:n\/lamnad$/,
  // Locks the month.
  /manadsavslut$/,
  /^POST \/logga-ut/,
];

interface Form {
  readonly method: string;
  readonly path: string;
  /** Names of fields that keep the browser from sending the form as it stands. */
  readonly blocked: readonly string[];
  /** Selects that must be chosen in, though nothing chosen is one of their choices. */
  readonly odd: readonly string[];
}
interface Looked {
  readonly address: string;
  readonly status: number;
  readonly links: readonly string[];
  readonly forms: readonly Form[];
}
interface SeenForm extends Form {
  readonly kind: string;
  /** The page it stands on. */
  readonly address: string;
}
interface Sent {
  readonly isGone?: boolean;
  readonly faults: readonly string[];
}

let site: Site;

const pages_max = 400;
const call = <T>(page: Page, name: string, value: unknown): Promise<T> =>
  page.evaluate<T>(`${name}(${JSON.stringify(value)})`);

/** What holds of every form that they meet, in the example company's books. */
export function testForms(roles: readonly Role[]): void {
  beforeAll(async () => {
    site = await openSite({ content: 'demo' });
  });
  afterAll(() => site.close());

  test.each(roles)('as %s every form can be sent', { timeout: 600_000 }, async (role) => {
    const page = await site.openAs(role);
    await page.evaluate(inPage);
    const { forms, faults } = await walkForms(page);
    for (const { kind, address, blocked, odd } of forms) {
      if (!(kind in leastOf) && !notHere.has(kind)) {
        faults.push(...blocked.map((name) => `${address}: ${kind} begins without ${name}`));
      }
      faults.push(...odd.map((name) => `${address}: ${name} requires what is a choice`));
    }
    // The owner has everybody's forms; of the others' the filters tell whether they work.
    const self = await idOfLatest();
    const sent = forms.filter(
      ({ method, path }) => (role === 'agare' || method === 'GET') && !path.includes(self),
    );
    for (const [kind, alike] of inOrder(sent)) {
      if (notHere.has(kind)) continue;
      const refused = (await send(page, kind, alike)) ?? (await sendElsewhere(page, kind));
      faults.push(...(refused ?? [`${kind} is nowhere any more`]));
    }
    expect(faults).toEqual([]);
    expect(forms.length).toBeGreaterThan(50);
  });
}

/** Who is logged in, and would be no more after some of the forms about themselves. */
async function idOfLatest(): Promise<string> {
  const { rows } = await site.owner.query<{ id: string }>(
    'select id::text from restricted.users order by created_at desc limit 1',
  );
  return rows[0]?.id ?? 'nobody';
}

function inOrder(forms: readonly SeenForm[]): [string, SeenForm[]][] {
  const turn = (kind: string) => late.findLastIndex((one) => one.test(kind));
  return [...Map.groupBy(forms, ({ kind }) => kind)].sort(([a], [b]) => turn(a) - turn(b));
}

/**
 * One of a kind, on the pages that still have it: what one book refuses with reason another takes. What stopped
 * it on each, and `undefined` where none of the pages has it any more.
 */
async function send(
  page: Page,
  kind: string,
  alike: readonly SeenForm[],
): Promise<string[] | undefined> {
  const typed = leastOf[kind] ?? {};
  const refused: string[] = [];
  for (const { address, method, path } of alike) {
    const { isGone, faults } = await call<Sent>(page, 'sendForm', { address, method, path, typed });
    if (!isGone && faults.length === 0) return [];
    refused.push(...faults.map((fault) => `${address}: ${kind}: ${fault}`));
  }
  return refused.length > 0 ? refused : undefined;
}

/** Where the forms sent before took the pages first seen, others lead to it: a list shows its next row. */
async function sendElsewhere(page: Page, kind: string): Promise<string[] | undefined> {
  const { forms } = await walkForms(page);
  return send(
    page,
    kind,
    forms.filter((form) => form.kind === kind),
  );
}

/** Every form of every page that links lead to: from each kind of page, one of each kind. */
async function walkForms(page: Page): Promise<{ forms: SeenForm[]; faults: string[] }> {
  const forms: SeenForm[] = [];
  const faults: string[] = [];
  const known = new Set<string>(['/oversikt']);
  const ways = new Set<string>();
  for (let next = ['/oversikt']; next.length > 0; ) {
    const looked = await call<Looked[]>(page, 'lookAt', next);
    next = [];
    for (const { address, status, links, forms: found } of looked) {
      if (status !== 200) faults.push(`${address} answers ${status}`);
      for (const form of found) {
        forms.push({ ...form, address, kind: `${form.method} ${kindOf(form.path)}` });
      }
      for (const link of links.map((href) => href.replace(/#.*/, ''))) {
        const way = `${kindOf(address)} ${kindOf(link)}`;
        if (ways.has(way) || known.has(link) || isFile(link)) continue;
        ways.add(way);
        known.add(link);
        next.push(link);
      }
      if (known.size > pages_max) throw new Error(`The walk goes on, from ${address}.`);
    }
  }
  return { forms, faults };
}

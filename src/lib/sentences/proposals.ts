/** What is said of proposals: of making them, and of what keeps one from being approved. */
import { type Given, kronor, type Sentences } from './words.ts';

/** Facts of one ground (`proposals.grounds_of`). */
type Facts = Readonly<Record<string, unknown>> | null;

/** A ground by its name, as it was and as it is. */
interface Change {
  readonly name: string;
  readonly before: Facts;
  readonly now: Facts;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const locks: Readonly<Record<string, string>> = {
  fiscal_year: 'räkenskapsåret är stängt',
  period: 'perioden är låst',
  vat: 'momsen är låst',
};
const things: Readonly<Record<string, string>> = {
  account: 'kontot',
  dimension: 'dimensionen',
  voucher: 'verifikatet',
  row: 'bankraden',
  invoice: 'fakturan',
  purchase: 'leverantörsfakturan',
  customer: 'kunden',
  supplier: 'leverantören',
  document: 'underlaget',
};

/** One change as a clause: `konto 1930 är inaktivt`. */
export function changeInWords({ name, before, now }: Change): string {
  const [what = '', ...rest] = name.split(':');
  const which = rest.join(':');
  if (what === 'day') {
    const lock = text(now?.['lock']);
    if (lock !== '') return `${which}: ${locks[lock] ?? 'dagen är låst'}`;
    if (now?.['series'] === false) return `${which}: året har inte serien`;
    return `${which} är inte längre låst`;
  }
  if (what === 'number') {
    return now?.['taken'] === true
      ? `fakturanummer ${which} finns redan hos leverantören`
      : `fakturanummer ${which} är ledigt igen`;
  }
  const named =
    what === 'account'
      ? `konto ${which}`
      : ((['label', 'number', 'name', 'file_name', 'text'] as const)
          .map((key) => text(now?.[key] ?? before?.[key]))
          .filter((found) => found !== '')
          .map((found) => `${things[what] ?? what} ${found}`)[0] ?? `${things[what] ?? what}`);
  if (now === null) return `${named} finns inte längre`;
  if (before === null) return `${named} har kommit till`;
  const changed = Object.keys(now).filter(
    (key) => JSON.stringify(now[key]) !== JSON.stringify(before[key]),
  );
  if (changed.includes('is_active'))
    return `${named} är ${now['is_active'] ? 'aktiv igen' : 'inaktiv'}`;
  if (changed.includes('corrected_by')) return `${named} är rättat av ${text(now['corrected_by'])}`;
  if (changed.includes('voucher')) {
    const voucher = text(now['voucher']);
    return voucher === '' ? `${named} är inte längre bokförd` : `${named} är bokförd av ${voucher}`;
  }
  if (changed.includes('open_ore')) {
    return `av ${named} återstår ${kronor(BigInt(text(now['open_ore']) || 0))}, inte ${kronor(BigInt(text(before['open_ore']) || 0))}`;
  }
  if (changed.includes('is_waiting')) return `${named} är redan lagt på något`;
  if (changed.includes('accounts')) return `${named} har andra betalkonton`;
  if (changed.includes('vat_code') || changed.includes('vat_box') || changed.includes('vat_rate')) {
    return `${named} har en annan momskod`;
  }
  return `${named} har ändrats`;
}

const statuses: Readonly<Record<string, string>> = {
  approved: 'är redan godkänt',
  rejected: 'är redan avvisat',
  withdrawn: 'är återtaget av den som lade det',
  expired: 'har gått ut',
};

const needed: Readonly<Record<string, string>> = {
  voucher: 'Verifikatet finns inte.',
  invoice: 'Fakturan finns inte.',
  purchase: 'Leverantörsfakturan finns inte.',
};

export const proposalSentences = {
  proposes_and_books:
    'Nyckeln får bokföra själv (ledger:write), och en sådan nyckel föreslår inget. Använd en med proposals:write och utan ledger:write.',
  too_many_proposals:
    'Femhundra av nyckelns förslag väntar redan på svar. Vänta tills några är avgjorda, eller ta tillbaka några.',
  no_proposal: 'Förslaget finns inte.',
  proposal_needs: ({ what }: Given<'what'>) =>
    needed[what] ?? 'Det som förslaget gäller finns inte.',
  proposal_nothing_open: ({ number }: Given<'number'>) => `Av ${number} återstår inget att betala.`,
  proposal_document_filed: 'Underlaget finns inte i inkorgen, eller är redan lagt på något.',
  proposal_unreadable:
    'Förslagets uppgifter går inte att läsa av den här versionen av programmet. Avvisa det; det får läggas på nytt.',
  proposal_decided: ({ status }: Given<'status'>) =>
    `Förslaget ${statuses[status] ?? 'är avgjort'}.`,
  proposal_moved: ({ changes }: { readonly changes: readonly Change[] }) =>
    `Det som förslaget bygger på har ändrats sedan det lades: ${changes.map(changeInWords).join('; ')}. Det ligger kvar; avvisa det om det inte längre gäller.`,
} satisfies Sentences;

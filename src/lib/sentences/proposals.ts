/** What is said of proposals: of making them, and of what keeps one from being approved. */
import { say, worded } from '../language.ts';
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
const locks = worded(
  (): Readonly<Record<string, string>> => ({
    fiscal_year: say`räkenskapsåret är stängt`,
    period: say`perioden är låst`,
    vat: say`momsen är låst`,
  }),
);
const things = worded(
  (): Readonly<Record<string, string>> => ({
    account: say`kontot`,
    dimension: say`dimensionen`,
    voucher: say`verifikatet`,
    row: say`bankraden`,
    invoice: say`fakturan`,
    purchase: say`leverantörsfakturan`,
    customer: say`kunden`,
    supplier: say`leverantören`,
    document: say`underlaget`,
  }),
);

/** One change as a clause: `konto 1930 är inaktivt`. */
export function changeInWords({ name, before, now }: Change): string {
  const [what = '', ...rest] = name.split(':');
  const which = rest.join(':');
  if (what === 'day') {
    const lock = text(now?.['lock']);
    if (lock !== '') return `${which}: ${locks()[lock] ?? say`dagen är låst`}`;
    if (now?.['series'] === false) return say`${which}: året har inte serien`;
    return say`${which} är inte längre låst`;
  }
  if (what === 'number') {
    return now?.['taken'] === true
      ? say`fakturanummer ${which} finns redan hos leverantören`
      : say`fakturanummer ${which} är ledigt igen`;
  }
  const named =
    what === 'account'
      ? say`konto ${which}`
      : ((['label', 'number', 'name', 'file_name', 'text'] as const)
          .map((key) => text(now?.[key] ?? before?.[key]))
          .filter((found) => found !== '')
          .map((found) => `${things()[what] ?? what} ${found}`)[0] ?? `${things()[what] ?? what}`);
  if (now === null) return say`${named} finns inte längre`;
  if (before === null) return say`${named} har kommit till`;
  const changed = Object.keys(now).filter(
    (key) => JSON.stringify(now[key]) !== JSON.stringify(before[key]),
  );
  if (changed.includes('is_active'))
    return say`${named} är ${now['is_active'] ? say`aktiv igen` : say`inaktiv`}`;
  if (changed.includes('corrected_by'))
    return say`${named} är rättat av ${text(now['corrected_by'])}`;
  if (changed.includes('voucher')) {
    const voucher = text(now['voucher']);
    return voucher === ''
      ? say`${named} är inte längre bokförd`
      : say`${named} är bokförd av ${voucher}`;
  }
  if (changed.includes('open_ore')) {
    return say`av ${named} återstår ${kronor(BigInt(text(now['open_ore']) || 0))}, inte ${kronor(BigInt(text(before['open_ore']) || 0))}`;
  }
  if (changed.includes('is_waiting')) return say`${named} är redan lagt på något`;
  if (changed.includes('accounts')) return say`${named} har andra betalkonton`;
  if (changed.includes('vat_code') || changed.includes('vat_box') || changed.includes('vat_rate')) {
    return say`${named} har en annan momskod`;
  }
  return say`${named} har ändrats`;
}

const statuses = worded(
  (): Readonly<Record<string, string>> => ({
    approved: say`är redan godkänt`,
    rejected: say`är redan avvisat`,
    withdrawn: say`är återtaget av den som lade det`,
    expired: say`har gått ut`,
  }),
);

const needed = worded(
  (): Readonly<Record<string, string>> => ({
    voucher: say`Verifikatet finns inte.`,
    invoice: say`Fakturan finns inte.`,
    purchase: say`Leverantörsfakturan finns inte.`,
  }),
);

export const proposalSentences = {
  key_proposes_and_books:
    'En nyckel föreslår (proposals:write) eller bokför (ledger:write): den som själv får bokföra har ingen att fråga. Skapa två nycklar, eller välj en av dem.',
  proposes_and_books:
    'Nyckeln får bokföra själv (ledger:write), och en sådan nyckel föreslår inget. Använd en med proposals:write och utan ledger:write.',
  too_many_proposals:
    'Femhundra av nyckelns förslag väntar redan på svar. Vänta tills några är avgjorda, eller ta tillbaka några.',
  no_proposal: 'Förslaget finns inte.',
  proposal_needs: ({ what }: Given<'what'>) =>
    needed()[what] ?? say`Det som förslaget gäller finns inte.`,
  proposal_nothing_open: ({ number }: Given<'number'>) =>
    say`Av ${number} återstår inget att betala.`,
  proposal_document_filed: 'Underlaget finns inte i inkorgen, eller är redan lagt på något.',
  proposal_unreadable:
    'Förslagets uppgifter går inte att läsa av den här versionen av programmet. Avvisa det; det får läggas på nytt.',
  proposal_decided: ({ status }: Given<'status'>) =>
    say`Förslaget ${statuses()[status] ?? say`är avgjort`}.`,
  proposal_moved: ({ changes }: { readonly changes: readonly Change[] }) =>
    say`Det som förslaget bygger på har ändrats sedan det lades: ${changes.map(changeInWords).join('; ')}. Det ligger kvar; avvisa det om det inte längre gäller.`,
} satisfies Sentences;

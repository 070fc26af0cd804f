/**
 * The chart of accounts of a SIE file as ours. SIE carries no VAT codes, and its account types and SRU codes
 * are what some program once wrote: what number, name and file do not agree on is a doubt, and a person
 * decides on it.
 */
import { type AccountType, accountTypesOf } from '../../domain/ledger/account.ts';
import type { SieAccount, SieChart, SieKind } from '../../domain/ledger/sie/chart.ts';
import { fits, readVatName, type VatSigns } from '../../domain/ledger/vat-name.ts';
import { type BasAccount, readBasBaseChart, type SieAccountType } from './bas-base-chart.ts';
import { serviceAccounts } from './service-accounts.ts';
import { readSruCodes } from './sru-codes.ts';
import { type VatFacts, vatText } from './vat-text.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What a person decides about an account. Nothing of it is taken before. */
export interface ChartDoubt {
  readonly account: number;
  readonly name: string;
  readonly about: 'type' | 'vat' | 'sru';
  /** Why it is in doubt, as a sentence. */
  readonly reason: string;
  readonly choices: readonly Choice[];
  /** The value that is probably right; null when nothing tells. */
  readonly suggestion: string | null;
  /** The value that the file has; null when it has none, or none that is possible. */
  readonly inFile: string | null;
}

export interface ChartFromSie {
  /** Without what is in doubt: no VAT code, the usual type, no SRU code. */
  readonly accounts: readonly BasAccount[];
  readonly doubts: readonly ChartDoubt[];
  /** Numbers that cannot be accounts here, as the file has them. */
  readonly leftOut: readonly string[];
  /** Accounts of BAS that the file lacks: those the program posts on by itself, and those with a VAT code. */
  readonly added: readonly number[];
}

/** No VAT code. */
export const withoutVat = '-';
const nameMax = 200;

export interface ChartGround {
  readonly bas: readonly BasAccount[];
  /** What the program posts on by itself. */
  readonly needed: ReadonlySet<number>;
  /** The code of the company's own form (sru-codes). */
  readonly sruOf: (account: number) => string | null;
}

/** For the company with the number (ten digits). */
export async function readChartGround(organizationNumber: string): Promise<ChartGround> {
  return {
    bas: await readBasBaseChart(),
    needed: new Set(serviceAccounts(organizationNumber).map(({ account }) => account)),
    sruOf: await readSruCodes(organizationNumber),
  };
}

export function chartFromSie({ accounts }: SieChart, ground: ChartGround): ChartFromSie {
  const { bas, needed } = ground;
  const inBas = new Map(bas.map((account) => [account.account, account]));
  const usable = accounts.filter(({ number }) => /^[1-8]\d{3}$/.test(number));
  const numbers = new Set(usable.map(({ number }) => Number(number)));
  const missing = bas.filter(
    ({ account, vatCode }) => !numbers.has(account) && (vatCode !== null || needed.has(account)),
  );
  const read = usable.map((account) =>
    readAccount(account, { ...ground, own: inBas.get(Number(account.number)) }),
  );
  return {
    accounts: [...read.map(({ account }) => account), ...missing],
    doubts: read.flatMap(({ doubts }) => doubts),
    leftOut: accounts.filter((account) => !usable.includes(account)).map(({ number }) => number),
    added: missing.map(({ account }) => account),
  };
}

interface AccountGround extends ChartGround {
  /** The account of BAS with the same number. */
  readonly own: BasAccount | undefined;
}

function readAccount(given: SieAccount, ground: AccountGround) {
  const account = Number(given.number);
  const { own, sruOf } = ground;
  const name = [...(given.name || own?.name || `Konto ${account}`)].slice(0, nameMax).join('');
  const type = own?.type ?? accountTypesOf(account)[0] ?? 'asset';
  const vat = readVat(account, name, ground);
  const doubts = [
    typeDoubt(account, given.kind, type, own !== undefined),
    vat.doubt,
    sruDoubt(given.sru, sruOf(account)),
  ].filter((doubt) => doubt !== null);
  const fromFile = given.kind && typeOf(account, given.kind);
  const isTypeSure = !doubts.some(({ about }) => about === 'type');
  return {
    account: withType(
      {
        account,
        name,
        vatCode: vat.facts?.code ?? null,
        vatRate: vat.facts?.rate ?? null,
        vatBox: vat.facts?.box ?? null,
        sru: null,
      },
      (isTypeSure ? fromFile : null) ?? type,
    ),
    doubts: doubts.map((doubt): ChartDoubt => ({ account, name, ...doubt })),
  };
}

type OwnDoubt = Omit<ChartDoubt, 'account' | 'name'>;
type Facts = Omit<BasAccount, 'type' | 'sieAccountType'>;

const kindOf: Readonly<Record<AccountType, SieAccountType>> = {
  asset: 'T',
  equity: 'S',
  liability: 'S',
  revenue: 'I',
  cost: 'K',
};
export const withType = (facts: Facts, type: AccountType): BasAccount => ({
  ...facts,
  type,
  sieAccountType: kindOf[type],
});

/** SIE has one kind for equity and liabilities; in BAS equity is group 20. */
function typeOf(account: number, kind: SieKind): AccountType {
  switch (kind) {
    case 'T':
      return 'asset';
    case 'S':
      return account >= 2000 && account <= 2099 ? 'equity' : 'liability';
    case 'K':
      return 'cost';
    case 'I':
      return 'revenue';
  }
}

const typeWords: Readonly<Record<AccountType, string>> = {
  asset: 'tillgång',
  equity: 'eget kapital',
  liability: 'skuld',
  revenue: 'intäkt',
  cost: 'kostnad',
};

/** `usual` is that of BAS for the number, or of its class; then the file may know better. */
function typeDoubt(
  account: number,
  kind: SieKind | null,
  usual: AccountType,
  isInBas: boolean,
): OwnDoubt | null {
  const fromFile = kind && typeOf(account, kind);
  if (fromFile === null || fromFile === usual) return null;
  const isPossible = accountTypesOf(account).includes(fromFile);
  if (isPossible && !isInBas) return null;
  const choices = isPossible ? [usual, fromFile] : [usual];
  return {
    about: 'type',
    reason: `Filen säger ${typeWords[fromFile]}, kontonumret ${typeWords[usual]}.`,
    choices: choices.map((type) => ({ value: type, label: typeWords[type] })),
    suggestion: usual,
    inFile: isPossible ? fromFile : null,
  };
}

function sruDoubt(given: string | null, code: string | null): OwnDoubt | null {
  if (given === null || given === code || !/^\d{4}$/.test(given)) return null;
  const choices = code === null ? [given] : [code, given];
  return {
    about: 'sru',
    reason:
      code === null
        ? `Filen säger ${given}, men företagets blankett har ingen kod för kontot.`
        : `Filen säger ${given}, blanketten ${code}.`,
    choices: choices.map((value) => ({ value, label: value })),
    suggestion: code ?? given,
    inFile: given,
  };
}

type VatReading = { readonly facts: VatFacts | null; readonly doubt: OwnDoubt | null };
const noVat: VatReading = { facts: null, doubt: null };

/** Accounts of VAT, sales and purchases; no other has a box in the VAT return. */
const isVatAccount = (account: number): boolean => account >= 2600 && account < 2700;
const vatGroup = (account: number): string =>
  isVatAccount(account)
    ? '26'
    : account >= 3000 && account < 5000
      ? (String(account)[0] ?? '')
      : '';

function readVat(account: number, name: string, { own, bas }: AccountGround): VatReading {
  const group = vatGroup(account);
  if (group === '') return noVat;
  const said = signsOf(account, name);
  const alike = bas.filter((one) => vatGroup(one.account) === group && one.vatCode !== null);
  const choices = choicesOf(alike, own);
  const doubt = (reason: string, suggestion: string | null): VatReading => ({
    facts: null,
    doubt: { about: 'vat', reason, choices, suggestion, inFile: null },
  });
  if (own) {
    const facts = factsOf(own);
    if (isSameName(own.name, name)) return { facts, doubt: null };
    if (!facts) return saysBox(said, group) ? doubt(unlike(own), null) : noVat;
    const fit = fits(said, signsOf(own.account, own.name), facts.rate);
    if (fit === 'no') return doubt(unlike(own), null);
    if (fit === 'unsure') return doubt('Namnet säger inte om det är med moms.', facts.code);
    return isVatAccount(account) || hasCommonWord(own.name, name)
      ? { facts, doubt: null }
      : doubt(unlike(own), facts.code);
  }
  if (saysBox(said, group)) {
    const codes = codesLike(said, alike);
    const [code = null] = codes.length === 1 ? codes : [];
    return doubt('Kontot finns inte i BAS; namnet talar om moms.', code);
  }
  return account < 3700 && group === '3'
    ? doubt('Ett konto för försäljning, utan momskod.', withoutVat)
    : noVat;
}

const unlike = (own: BasAccount): string => `I BAS heter ${own.account} ${own.name}.`;
const signsOf = (account: number, name: string): VatSigns =>
  readVatName(name, { isVatAccount: isVatAccount(account) });

/** Whether the name speaks of VAT that has a box: purchases with ordinary VAT have none of their own. */
function saysBox({ rate, isTaxed, place, kind, isInput }: VatSigns, group: string): boolean {
  const isSpecial = place !== null || (kind !== null && kind !== 'dormant');
  if (group === '4') return isSpecial;
  return isSpecial || rate !== null || isTaxed || (isInput && kind === null);
}

function factsOf({ vatCode: code, vatRate: rate, vatBox: box }: BasAccount): VatFacts | null {
  return code === null ? null : { code, rate, box };
}

/** The codes of accounts whose names say just the same, each once. */
function codesLike(said: VatSigns, alike: readonly BasAccount[]): string[] {
  const found = alike.filter(
    (one) =>
      (said.rate !== null ||
        said.isInput ||
        said.place === 'outside_eu' ||
        said.kind === 'triangulation') &&
      fits(said, signsOf(one.account, one.name), one.vatRate) === 'yes',
  );
  return [...new Set(found.map(({ vatCode }) => vatCode ?? ''))];
}

/** That of the same number first, then none, then the others of the group, each as some account of BAS. */
function choicesOf(alike: readonly BasAccount[], own: BasAccount | undefined): Choice[] {
  const labels = new Map<string, string>();
  for (const like of [own ?? [], alike].flat()) {
    const facts = factsOf(like);
    if (facts && !labels.has(facts.code)) {
      labels.set(facts.code, `${vatText(facts)} – som ${like.account} ${like.name}`);
    }
  }
  const [first, ...others] = [...labels].map(([value, label]) => ({ value, label }));
  const none = { value: withoutVat, label: 'Ingen momskod' };
  return first ? [first, none, ...others] : [none];
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');
const isSameName = (one: string, other: string): boolean => lettersOf(one) === lettersOf(other);

const commonLetters = 5;

/** Five letters in a row, within a word: `Frakter` and `Fakturerade frakter`. */
function hasCommonWord(one: string, other: string): boolean {
  const text = one.toLowerCase();
  return other
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) =>
      Array.from({ length: Math.max(word.length - commonLetters + 1, 0) }, (_, at) =>
        word.slice(at, at + commonLetters),
      ).some((part) => text.includes(part)),
    );
}

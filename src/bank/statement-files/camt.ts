/**
 * Account statements and notices of ISO 20022 (camt.053, camt.054, versions 2–10) read as they come, entry by entry.
 * Memory is bounded whatever the file holds: by one entry with a thousand details. Namespaces are looked at for the
 * message and its version only, since banks wrap messages and choose prefixes as they like.
 */
import { SaxesParser } from 'saxes';
import { isDate } from '../../domain/basics/dates.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { readPlainAmount } from '../../domain/ledger/bank-files/amounts.ts';
import { type BankFileProblems, shownText } from '../../domain/ledger/bank-files/problems.ts';
import {
  type BankFileEvent,
  bankEntriesMax,
  bankStatementsMax,
  bankTextMax,
  detailsAtOnce,
} from '../../domain/ledger/bank-files/statement.ts';
import { StatementTally } from '../../domain/ledger/bank-files/tally.ts';
import { CamtEntry } from './camt-entry.ts';

const depthMax = 32;
const attributesMax = 64;
/** Characters without an element, an attribute or an end of either. */
const stretchMax = 1024 * 1024;
const pieceLength = 64 * 1024;
const messages: ReadonlyMap<string, string> = new Map([
  ['053', 'Stmt'],
  ['054', 'Ntfctn'],
]);
const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.(05[34])\.001\.(\d{2})$/;
/** Whatever 1.x is declared: version 1.1 would let control characters in. */
const xml10 = { defaultXMLVersion: '1.0', forceXMLVersion: true } as const;

interface Balance {
  kind: string;
  amount: Ore | null;
  currency: string | null;
  isDebit: boolean;
  date: string | null;
}

interface OpenStatement {
  readonly line: number;
  readonly place: number;
  readonly path: string;
  readonly tally: StatementTally;
  readonly balances: Balance[];
  id: string | null;
  iban: string | null;
  otherAccount: string | null;
  currency: string | null;
  sequence: number | null;
  from: string | null;
  to: string | null;
  /** How many entries it says it has. */
  counted: number | null;
  entries: number;
  isCurrencyTold: boolean;
}

/** Thrown out of the parser once the file cannot be read further, which has been told. */
class Stop extends Error {}

export class CamtReader {
  readonly #problems: BankFileProblems;
  readonly #parser = new SaxesParser(xml10);
  /** Local names from the root on. */
  readonly #path: string[] = [];
  #fed = 0;
  #lastMark = 0;
  #attributes: { name: string; value: string }[] = [];
  #attributesOf: readonly { name: string; value: string }[] = [];
  #text = '';
  /** `camt.053.001.08`; null until known. */
  format: string | null = null;
  /** How deep `Stmt` or `Ntfctn` stand. */
  #base = 0;
  #statementName = '';
  #statement: OpenStatement | null = null;
  #balance: Balance | null = null;
  #entry: CamtEntry | null = null;
  #entries = 0;
  #statements = 0;
  #isStopped = false;
  #events: BankFileEvent[] = [];

  constructor(problems: BankFileProblems) {
    this.#problems = problems;
    const parser = this.#parser;
    parser.on('doctype', () => this.#stop(() => problems.add('xml_doctype', this.#here, {})));
    parser.on('attribute', ({ name, value }) => {
      this.#lastMark = this.#fed;
      if (this.#attributes.length >= attributesMax) {
        const max = attributesMax;
        this.#stop(() => problems.add('xml_too_many_attributes', this.#here, { max }));
      }
      this.#attributes.push({ name, value: value.slice(0, bankTextMax) });
    });
    parser.on('opentag', ({ name }) => this.#open(localName(name), name));
    parser.on('text', (text) => this.#characters(text));
    parser.on('cdata', (text) => this.#characters(text));
    parser.on('closetag', () => this.#close());
  }

  /** What ends in the text. */
  read(text: string): BankFileEvent[] {
    for (let from = 0; from < text.length && !this.#isStopped; from += pieceLength) {
      const piece = text.slice(from, from + pieceLength);
      this.#attempt(() => {
        this.#fed += piece.length;
        this.#parser.write(piece);
        if (this.#fed - this.#lastMark > stretchMax) {
          const max = stretchMax;
          this.#stop(() => this.#problems.add('text_too_long', this.#here, { max }));
        }
      });
    }
    return this.#taken();
  }

  /** What was left, once all text has been read. */
  end(): BankFileEvent[] {
    if (!this.#isStopped) {
      this.#attempt(() => {
        this.#parser.close();
      });
    }
    if (!this.#isStopped && this.#statements === 0) {
      this.#problems.add('no_statements', { line: null }, {});
    }
    return this.#taken();
  }

  #taken(): BankFileEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #attempt(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      this.#isStopped = true;
      if (error instanceof Stop) return;
      // Without a handler the parser throws its errors, which are plain ones.
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      const found = shownText(error.message.replace(/^\d+:\d+: /, ''));
      this.#problems.add('xml_malformed', this.#here, { found });
    }
  }

  #stop(tell: () => void): never {
    tell();
    throw new Stop();
  }

  get #here(): { line: number; path: string | null } {
    return { line: this.#parser.line, path: this.#where() };
  }

  /** `Stmt[2]/Ntry[5]/Amt`, of the element that is open. */
  #where(): string | null {
    if (this.#path.length === 0) return null;
    if (this.#statement === null) return this.#path.join('/');
    const within = this.#path.slice(this.#base);
    const isInEntry = within[0] === 'Ntry';
    const rest = isInEntry ? [`Ntry[${this.#statement.entries}]`, ...within.slice(1)] : within;
    return [this.#statement.path, ...rest].join('/');
  }

  #open(name: string, fullName: string): void {
    this.#lastMark = this.#fed;
    this.#path.push(name);
    this.#text = '';
    this.#attributesOf = this.#attributes;
    this.#attributes = [];
    if (this.#path.length > depthMax) {
      this.#stop(() => this.#problems.add('xml_too_deep', this.#here, { max: depthMax }));
    }
    if (this.format === null) this.#openMessage(name, fullName);
    else if (this.#path.length === this.#base && name === this.#statementName) {
      this.#openStatement();
    } else if (this.#statement && this.#path.length === this.#base + 1) {
      if (name === 'Ntry') this.#openEntry(this.#statement);
      if (name === 'Bal') {
        this.#balance = { kind: '', amount: null, currency: null, isDebit: false, date: null };
      }
    } else if (this.#entry) this.#openInEntry(this.#entry);
  }

  /** The message is known by the namespace of `Document`, which may stand in a bank's envelope. */
  #openMessage(name: string, fullName: string): void {
    if (this.#path.length > 4) {
      const found = shownText(this.#path[0] ?? '');
      this.#stop(() => this.#problems.add('not_camt', { line: 1 }, { found }));
    }
    if (name !== 'Document') return;
    const colon = fullName.indexOf(':');
    const declared = colon < 0 ? 'xmlns' : `xmlns:${fullName.slice(0, colon)}`;
    const uri = this.#attributesOf.find((one) => one.name === declared)?.value ?? '';
    const [, kind = '', version = ''] = namespace.exec(uri) ?? [];
    const statementName = messages.get(kind);
    if (statementName === undefined) {
      const found = shownText(uri === '' ? name : uri);
      this.#stop(() => this.#problems.add('not_camt', this.#here, { found }));
    }
    this.format = `camt.${kind}.001.${version}`;
    if (Number(version) < 2 || Number(version) > 10) {
      this.#problems.add('version_unknown', this.#here, { found: this.format });
    }
    this.#statementName = statementName ?? '';
    this.#base = this.#path.length + 2;
  }

  #openStatement(): void {
    this.#statements += 1;
    const place = this.#statements;
    if (place > bankStatementsMax) {
      const max = bankStatementsMax;
      this.#stop(() => this.#problems.add('too_many_statements', this.#here, { max }));
    }
    this.#statement = {
      line: this.#parser.line,
      place,
      path: `${this.#statementName}[${place}]`,
      tally: new StatementTally(),
      balances: [],
      id: null,
      iban: null,
      otherAccount: null,
      currency: null,
      sequence: null,
      from: null,
      to: null,
      counted: null,
      entries: 0,
      isCurrencyTold: false,
    };
  }

  #openEntry(statement: OpenStatement): void {
    statement.entries += 1;
    this.#entries += 1;
    if (this.#entries > bankEntriesMax) {
      const max = bankEntriesMax;
      this.#stop(() => this.#problems.add('too_many_entries', this.#here, { max }));
    }
    const path = `${statement.path}/Ntry[${statement.entries}]`;
    this.#entry = new CamtEntry(this.#parser.line, path, this.#problems);
  }

  #openInEntry(entry: CamtEntry): void {
    const [last, parent] = [this.#path.at(-1), this.#path.at(-2)];
    const isDetail = last === 'TxDtls' && parent === 'NtryDtls';
    if (!isDetail || this.#path.length !== this.#base + 3) return;
    if (entry.isFull(detailsAtOnce)) {
      this.#events.push({ kind: 'details', details: entry.takeDetails() });
    }
    entry.openDetail();
  }

  #characters(text: string): void {
    this.#lastMark = this.#fed;
    if (this.#statement === null || this.#text.length >= bankTextMax) return;
    this.#text += text.slice(0, bankTextMax - this.#text.length);
  }

  #close(): void {
    this.#lastMark = this.#fed;
    const depth = this.#path.length;
    const text = this.#text.trim();
    if (this.#statement) {
      const within = this.#path.slice(this.#base);
      if (text.includes('\ufffd')) this.#problems.add('lost_characters', this.#here, {});
      const leaf = within.slice(1).join('/');
      if (depth === this.#base) this.#closeStatement(this.#statement);
      else if (within[0] === 'Ntry') this.#closeInEntry(this.#statement, leaf, text);
      else if (within[0] === 'Bal') this.#closeInBalance(this.#statement, leaf, text);
      else if (text !== '') this.#readStatement(this.#statement, within.join('/'), text);
    }
    this.#path.pop();
    this.#text = '';
  }

  #closeInEntry(statement: OpenStatement, leaf: string, text: string): void {
    const entry = this.#entry;
    if (entry === null) return;
    if (leaf !== '') {
      if (text === '' && leaf !== 'NtryDtls/TxDtls') return;
      entry.read(leaf, text, this.#attributeOf('Ccy'), this.#parser.line);
      return;
    }
    this.#entry = null;
    const read = entry.close();
    if (read === null) {
      statement.tally.lose();
      return;
    }
    const { iban, otherAccount } = statement;
    statement.tally.add(read);
    this.#checkCurrency(statement, read.currency, entry);
    this.#events.push({ kind: 'entry', entry: read, account: iban ?? otherAccount });
  }

  /** One account has one currency: entries in two cannot be added. */
  #checkCurrency(statement: OpenStatement, found: string | null, at: CamtEntry): void {
    const expected = statement.currency ?? statement.tally.currency;
    if (found === null || expected === null || found === expected) return;
    if (statement.isCurrencyTold) return;
    statement.isCurrencyTold = true;
    this.#problems.add('currency_mixed', at, { found: shownText(found), expected });
  }

  #closeInBalance(statement: OpenStatement, leaf: string, text: string): void {
    const balance = this.#balance;
    if (balance === null) return;
    switch (leaf) {
      case 'Tp/CdOrPrtry/Cd':
        balance.kind = text;
        break;
      case 'Amt':
        balance.amount = readPlainAmount(text);
        balance.currency = this.#attributeOf('Ccy');
        if (balance.amount === null) {
          this.#problems.add('amount_unreadable', this.#here, { found: shownText(text) });
        }
        break;
      case 'CdtDbtInd':
        balance.isDebit = text === 'DBIT';
        if (text !== 'DBIT' && text !== 'CRDT') {
          this.#problems.add('sign_missing', this.#here, { found: shownText(text) });
        }
        break;
      case 'Dt/Dt':
      case 'Dt/DtTm':
        balance.date = text.slice(0, 10);
        break;
      case '':
        this.#keepBalance(statement, balance);
        this.#balance = null;
        break;
      default:
    }
  }

  #keepBalance(statement: OpenStatement, balance: Balance): void {
    const isKept = ['OPBD', 'PRCD', 'CLBD', 'ITBD'].includes(balance.kind);
    // A statement may tell of many days' balances in between; the first and the last tell all.
    if (isKept && statement.balances.length < 1000) statement.balances.push(balance);
  }

  #readStatement(statement: OpenStatement, leaf: string, text: string): void {
    switch (leaf) {
      case 'Id':
        statement.id = text;
        break;
      case 'ElctrncSeqNb':
        statement.sequence = /^\d{1,15}$/.test(text) ? Number(text) : null;
        break;
      case 'FrToDt/FrDtTm':
        statement.from = dayOf(text);
        break;
      case 'FrToDt/ToDtTm':
        statement.to = dayOf(text);
        break;
      case 'Acct/Id/IBAN':
        statement.iban = text.replaceAll(' ', '').toUpperCase();
        break;
      case 'Acct/Id/Othr/Id':
        statement.otherAccount = text;
        break;
      case 'Acct/Ccy':
        statement.currency = text;
        break;
      case 'TxsSummry/TtlNtries/NbOfNtries':
        statement.counted = /^\d{1,15}$/.test(text) ? Number(text) : null;
        break;
      default:
    }
  }

  #closeStatement(statement: OpenStatement): void {
    this.#statement = null;
    const { line, place, path, tally, id, iban, otherAccount, sequence } = statement;
    const isNotice = this.#statementName === 'Ntfctn';
    const { opening, closing } = isNotice
      ? { opening: null, closing: null }
      : this.#ends(statement.balances, { line, path });
    const balances = [opening, closing].filter((balance) => balance !== null);
    const currency = statement.currency ?? balances[0]?.currency ?? tally.currency;
    const others = [...balances.map((balance) => balance.currency), tally.currency];
    const other = others.find((found) => found !== null && found !== currency);
    if (other && currency && !statement.isCurrencyTold) {
      const params = { found: shownText(other), expected: shownText(currency) };
      this.#problems.add('currency_mixed', { line, path }, params);
    }
    const { counted } = statement;
    if (counted !== null && counted !== statement.entries) {
      const params = { found: statement.entries, expected: counted };
      this.#problems.add('count_differs', { line, path }, params);
    }
    const closed = tally.close(
      {
        line,
        place,
        path,
        id,
        sequence,
        isNewestFirst: false,
        account: iban ?? otherAccount,
        currency,
        isNotice,
        opening: signed(opening),
        closing: signed(closing),
        from: statement.from ?? opening?.date ?? null,
        to: statement.to ?? closing?.date ?? null,
      },
      this.#problems,
    );
    this.#events.push({ kind: 'statement', statement: closed });
  }

  /**
   * The balance before the entries and the one after. Pages of one statement end and begin with one in between
   * (ITBD).
   */
  #ends(
    balances: readonly Balance[],
    at: { readonly line: number; readonly path: string },
  ): { opening: Balance | null; closing: Balance | null } {
    const ofKind = (kind: string) => balances.filter((balance) => balance.kind === kind);
    const between = ofKind('ITBD');
    const [opened, closed] = [ofKind('OPBD').at(0), ofKind('CLBD').at(-1)];
    const previous = ofKind('PRCD').at(0);
    if (opened && previous && signed(opened) !== signed(previous)) {
      const [found, expected] = [signed(opened), signed(previous)];
      if (found !== null && expected !== null) {
        this.#problems.add('previous_closing_differs', at, { found, expected });
      }
    }
    const first = between.length > 1 || closed ? between.at(0) : undefined;
    const opening = opened ?? previous ?? first ?? null;
    const last = between.at(-1);
    return { opening, closing: closed ?? (last && last !== opening ? last : null) };
  }

  #attributeOf(name: string): string | null {
    return this.#attributesOf.find((one) => one.name === name)?.value ?? null;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const signed = (balance: Balance | null): Ore | null => {
  if (!balance || balance.amount === null) return null;
  return balance.isDebit ? -balance.amount : balance.amount;
};

/** The day of a day or a moment, as it is where the moment was written; null when it is none. */
const dayOf = (text: string): string | null => {
  const day = text.slice(0, 10);
  return isDate(day) ? day : null;
};

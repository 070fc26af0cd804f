/** One entry of a statement (`Ntry`), put together from its elements as they come. */
import { isDate } from '../../domain/basics/dates.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { readPlainAmount } from '../../domain/ledger/bank-files/amounts.ts';
import { type BankFileProblems, shownText } from '../../domain/ledger/bank-files/problems.ts';
import {
  addPart,
  type BankEntry,
  type BankEntryDetail,
} from '../../domain/ledger/bank-files/statement.ts';

interface OpenParty {
  name: string | null;
  account: string | null;
  accountKind: string | null;
}
interface OpenDetail {
  /** Of `TxDtls/Amt`, which says more than `AmtDtls/TxAmt`. */
  amount: Ore | null;
  currency: string | null;
  hasOwnAmount: boolean;
  isDebit: boolean | null;
  endToEndId: string | null;
  paymentBatchId: string | null;
  transactionId: string | null;
  servicerReference: string | null;
  readonly references: string[];
  readonly documents: { number: string; kind: string | null }[];
  documentKind: string | null;
  readonly texts: string[];
  readonly debtor: OpenParty;
  readonly creditor: OpenParty;
  returnReason: string | null;
}

const openParty = (): OpenParty => ({ name: null, account: null, accountKind: null });

const saysNothing = (): OpenDetail => ({
  amount: null,
  currency: null,
  hasOwnAmount: false,
  isDebit: null,
  endToEndId: null,
  paymentBatchId: null,
  transactionId: null,
  servicerReference: null,
  references: [],
  documents: [],
  documentKind: null,
  texts: [],
  debtor: openParty(),
  creditor: openParty(),
  returnReason: null,
});

const detailPath = 'NtryDtls/TxDtls';
const booked = 'BOOK';
const unbooked: ReadonlySet<string> = new Set(['PDNG', 'INFO', 'FUTR']);
/** What payers write who have no reference. */
const noReference: ReadonlySet<string> = new Set(['NOTPROVIDED', 'NOT PROVIDED']);

export class CamtEntry {
  readonly line: number;
  readonly path: string;
  readonly #problems: BankFileProblems;
  #amount: Ore | null = null;
  #hasAmount = false;
  #currency: string | null = null;
  #isDebit: boolean | null = null;
  #isReversal = false;
  #status: string | null = null;
  #bookingDate: string | null = null;
  #valueDate: string | null = null;
  #reference: string | null = null;
  #servicerReference: string | null = null;
  readonly #code: string[] = [];
  #ownCode: string | null = null;
  #text: string | null = null;
  #batchCount: number | null = null;
  #batchId: string | null = null;
  #detail: OpenDetail | null = null;
  #details: OpenDetail[] = [];
  #detailCount = 0;
  /** Of its details: with the signs they have, and without any. */
  #detailSum = 0n;
  #detailSize = 0n;
  #isDetailSumKnown = true;

  constructor(line: number, path: string, problems: BankFileProblems) {
    this.line = line;
    this.path = path;
    this.#problems = problems;
  }

  isFull(max: number): boolean {
    return this.#details.length >= max;
  }

  takeDetails(): BankEntryDetail[] {
    const details = this.#details.map((detail) => this.#finished(detail));
    this.#details = [];
    return details;
  }

  /** Of payments out that the bank has made as one: what we called the batch, where that is all it tells. */
  #batch(): BankEntryDetail[] {
    if (!this.#isDebit || !this.#batchId) return [];
    return [this.#finished({ ...saysNothing(), paymentBatchId: this.#batchId })];
  }

  openDetail(): void {
    this.#detail = saysNothing();
  }

  /** An element that ends, by its path within the entry. */
  read(path: string, text: string, currency: string | null, line: number): void {
    if (path === detailPath) this.#closeDetail();
    else if (this.#detail && path.startsWith(`${detailPath}/`)) {
      const within = path.slice(detailPath.length + 1);
      if (within.startsWith('RltdPties/')) this.#readParty(this.#detail, within, text);
      else if (within.startsWith('RmtInf/')) this.#readRemittance(this.#detail, within, text);
      else this.#readDetail(this.#detail, within, text, currency, line);
    } else this.#read(path, text, currency, line);
  }

  /** The entry; null when its amount is unknown, which has been told. */
  close(): BankEntry | null {
    const at = { line: this.line, path: this.path };
    if (!this.#hasAmount) this.#problems.add('amount_missing', at, {});
    if (this.#isDebit === null) this.#problems.add('sign_missing', at, { found: '' });
    if (this.#amount === null || this.#isDebit === null) return null;
    const bookingDate = this.#bookingDate ?? this.#valueDate;
    const isBooked = this.#status === null || this.#status === booked;
    if (isBooked && bookingDate === null) this.#problems.add('date_missing', at, {});
    if (!isBooked && !unbooked.has(this.#status ?? '')) {
      this.#problems.add('status_unknown', at, { found: shownText(this.#status ?? '') });
    }
    const amount = this.#isDebit ? -this.#amount : this.#amount;
    this.#checkDetails(amount, at);
    return {
      line: this.line,
      amount,
      currency: this.#currency,
      isBooked,
      isReversal: this.#isReversal,
      bookingDate,
      valueDate: this.#valueDate,
      reference: this.#reference,
      servicerReference: this.#servicerReference,
      code: this.#code.length > 0 ? this.#code.join('/') : this.#ownCode,
      text: this.#text,
      balanceAfter: null,
      detailCount: this.#detailCount,
      details: this.#detailCount === 0 ? this.#batch() : this.takeDetails(),
    };
  }

  #read(path: string, text: string, currency: string | null, line: number): void {
    switch (path) {
      case 'Amt':
        this.#hasAmount = true;
        this.#amount = this.#amountOf(text, line, path);
        this.#currency = currency;
        break;
      case 'CdtDbtInd':
        this.#isDebit = this.#directionOf(text, line, path);
        break;
      case 'RvslInd':
        this.#isReversal = text === 'true' || text === '1';
        break;
      case 'Sts':
      case 'Sts/Cd':
      case 'Sts/Prtry':
        this.#status = text;
        break;
      case 'BookgDt/Dt':
      case 'BookgDt/DtTm':
        this.#bookingDate = this.#dayOf(text, line, path);
        break;
      case 'ValDt/Dt':
      case 'ValDt/DtTm':
        this.#valueDate = this.#dayOf(text, line, path);
        break;
      case 'NtryRef':
        this.#reference = text;
        break;
      case 'AcctSvcrRef':
        this.#servicerReference = text;
        break;
      case 'BkTxCd/Domn/Cd':
      case 'BkTxCd/Domn/Fmly/Cd':
      case 'BkTxCd/Domn/Fmly/SubFmlyCd':
        if (this.#code.length < 3) this.#code.push(text);
        break;
      case 'BkTxCd/Prtry/Cd':
        this.#ownCode = text;
        break;
      case 'AddtlNtryInf':
        this.#text = text;
        break;
      case 'NtryDtls/Btch/PmtInfId':
        // Of several batches no one is the entry's.
        this.#batchId = this.#batchId === null || this.#batchId === text ? text : '';
        break;
      case 'NtryDtls/Btch/NbOfTxs':
        this.#batchCount = (this.#batchCount ?? 0) + (/^\d{1,15}$/.test(text) ? Number(text) : 0);
        break;
      default:
    }
  }

  #readDetail(
    detail: OpenDetail,
    path: string,
    text: string,
    currency: string | null,
    line: number,
  ): void {
    const full = `${detailPath}/${path}`;
    switch (path) {
      case 'Amt':
        detail.hasOwnAmount = true;
        detail.amount = this.#amountOf(text, line, full);
        detail.currency = currency;
        break;
      case 'AmtDtls/TxAmt/Amt':
        if (detail.hasOwnAmount) break;
        detail.amount = this.#amountOf(text, line, full);
        detail.currency = currency;
        break;
      case 'CdtDbtInd':
        detail.isDebit = this.#directionOf(text, line, full);
        break;
      case 'Refs/EndToEndId':
        detail.endToEndId = noReference.has(text.toUpperCase()) ? null : text;
        break;
      case 'Refs/PmtInfId':
        detail.paymentBatchId = text;
        break;
      case 'Refs/TxId':
        detail.transactionId = text;
        break;
      case 'Refs/AcctSvcrRef':
        detail.servicerReference = text;
        break;
      case 'RtrInf/Rsn/Cd':
      case 'RtrInf/Rsn/Prtry':
        detail.returnReason = text;
        break;
      case 'RtrInf/AddtlInf':
        detail.returnReason ??= text;
        break;
      case 'AddtlTxInf':
        addPart(detail.texts, text);
        break;
      default:
    }
  }

  #readRemittance(detail: OpenDetail, path: string, text: string): void {
    switch (path) {
      case 'RmtInf/Ustrd':
      case 'RmtInf/Strd/AddtlRmtInf':
        addPart(detail.texts, text);
        break;
      case 'RmtInf/Strd/CdtrRefInf/Ref':
      case 'RmtInf/Strd/CdtrRefInf/CdtrRef':
        addPart(detail.references, text);
        break;
      case 'RmtInf/Strd/RfrdDocInf/Tp/CdOrPrtry/Cd':
      case 'RmtInf/Strd/RfrdDocInf/Tp/CdOrPrtry/Prtry':
        detail.documentKind = text;
        break;
      case 'RmtInf/Strd/RfrdDocInf/Nb':
        addPart(detail.documents, { number: text, kind: detail.documentKind });
        detail.documentKind = null;
        break;
      default:
    }
  }

  /** `Dbtr/Nm` up to version 7, `Dbtr/Pty/Nm` from then on. */
  #readParty(detail: OpenDetail, path: string, text: string): void {
    const [, role = '', ...rest] = path.split('/');
    const party = role.startsWith('Dbtr') ? detail.debtor : detail.creditor;
    if (!/^(Dbtr|Cdtr)(Acct)?$/.test(role)) return;
    switch (rest.join('/')) {
      case 'Nm':
      case 'Pty/Nm':
        if (!role.endsWith('Acct')) party.name = text;
        break;
      case 'Id/IBAN':
        party.account = text.replaceAll(' ', '').toUpperCase();
        party.accountKind = 'IBAN';
        break;
      case 'Id/Othr/Id':
        if (role.endsWith('Acct') && party.accountKind !== 'IBAN') party.account = text;
        break;
      case 'Id/Othr/SchmeNm/Cd':
      case 'Id/Othr/SchmeNm/Prtry':
        if (role.endsWith('Acct') && party.accountKind !== 'IBAN') party.accountKind = text;
        break;
      default:
    }
  }

  #closeDetail(): void {
    const detail = this.#detail;
    if (detail === null) return;
    this.#detail = null;
    this.#details.push(detail);
    this.#detailCount += 1;
    const isOther = detail.currency !== null && detail.currency !== this.#currency;
    if (detail.amount === null || isOther) this.#isDetailSumKnown = false;
    else {
      const isDebit = detail.isDebit ?? this.#isDebit ?? false;
      this.#detailSum += isDebit ? -detail.amount : detail.amount;
      this.#detailSize += detail.amount;
    }
  }

  #checkDetails(amount: Ore, at: { readonly line: number; readonly path: string }): void {
    if (this.#detailCount === 0) return;
    const size = amount < 0n ? -amount : amount;
    const fits = this.#detailSum === amount || this.#detailSize === size;
    if (this.#isDetailSumKnown && !fits) {
      this.#problems.add('details_differ', at, { found: this.#detailSum, expected: amount });
    }
    const [found, expected] = [this.#detailCount, this.#batchCount];
    if (expected !== null && expected !== found) {
      this.#problems.add('details_count_differs', at, { found, expected });
    }
  }

  #finished(detail: OpenDetail): BankEntryDetail {
    const { hasOwnAmount, documentKind, isDebit: own, ...rest } = detail;
    const isDebit = own ?? this.#isDebit ?? false;
    const amount = detail.amount !== null && isDebit ? -detail.amount : detail.amount;
    return { ...rest, amount };
  }

  #amountOf(text: string, line: number, path: string): Ore | null {
    const amount = readPlainAmount(text);
    if (amount === null) {
      this.#problems.add('amount_unreadable', this.#at(line, path), { found: shownText(text) });
    }
    return amount;
  }

  #directionOf(text: string, line: number, path: string): boolean | null {
    if (text === 'DBIT' || text === 'CRDT') return text === 'DBIT';
    this.#problems.add('sign_missing', this.#at(line, path), { found: shownText(text) });
    return null;
  }

  #dayOf(text: string, line: number, path: string): string | null {
    const day = text.slice(0, 10);
    if (isDate(day)) return day;
    this.#problems.add('date_unreadable', this.#at(line, path), { found: shownText(text) });
    return null;
  }

  #at(line: number, path: string): { line: number; path: string } {
    return { line, path: `${this.path}/${path}` };
  }
}

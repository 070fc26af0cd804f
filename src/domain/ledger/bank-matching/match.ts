/**
 * What a row of the bank may be, as matching sees it: the row, what it can meet, and what it is held for. Every amount is
 * in öre with the bank's sign: above zero is money in.
 */
import type { Ore } from '../../basics/money.ts';
import type { BankEntryDetail } from '../bank-files/statement.ts';

/** A payment within a row, as the bank gives it. */
export type RowPayment = Pick<
  BankEntryDetail,
  | 'amount'
  | 'endToEndId'
  | 'paymentBatchId'
  | 'references'
  | 'documents'
  | 'texts'
  | 'debtor'
  | 'creditor'
  | 'returnReason'
>;

/** A row that no voucher books yet. */
export interface UnmatchedRow {
  readonly id: string;
  readonly accountId: string;
  /** In the books. */
  readonly ledgerAccount: number;
  readonly accountKind: 'bank' | 'tax' | 'cash' | 'clearing';
  /** ISO 8601. */
  readonly day: string;
  readonly amountOre: Ore;
  /** The bank's, often cut at 12 to 20 characters. */
  readonly text: string;
  /** `PMNT/RCDT/ATXN`, or the bank's own word. */
  readonly code: string | null;
  /** Takes back an earlier row. */
  readonly isReversal: boolean;
  /** A person has taken back what it was booked as; the next time a person says so too. */
  readonly wasUndone?: boolean;
  /** Empty where the bank tells of the row alone. */
  readonly payments: readonly RowPayment[];
}

/** Whom money is expected from or owed to. */
export interface MatchParty {
  readonly id: string;
  readonly name: string;
  /** Bankgiro, plusgiro, IBAN or account numbers it has told of or paid from before; digits and letters alone. */
  readonly accounts: readonly string[];
  readonly phone: string | null;
}

/** An invoice of ours, or a supplier's. */
export interface MatchDocument {
  readonly kind: 'invoice' | 'purchase';
  readonly id: string;
  /** Ours as a number in text; a supplier's as they wrote it. */
  readonly number: string;
  /** What the payer is to give, by OCR or otherwise; of a supplier's invoice what they ask for. */
  readonly reference: string | null;
  /**
   * What is still expected on the bank: above zero of a customer's invoice, below zero of a supplier's, the other way
   * for credits; zero when settled (it may be named by a row even so).
   */
  readonly openOre: Ore;
  /** The whole document by the same sign. */
  readonly totalOre: Ore;
  /** Booked in kronor at the rate of its day: other kronor pay it (ISO 4217). */
  readonly currency: string;
  readonly issuedOn: string;
  readonly dueOn: string | null;
  readonly party: MatchParty;
}

/** A payment that a file asks the bank to make, and that neither a row nor a person has settled yet. */
export interface MatchPayout {
  readonly id: string;
  /** How the file names it (EndToEndId), and those that a bank may book as one row (PmtInfId). */
  readonly name: string;
  readonly blockId: string;
  readonly accountId: string;
  /** When the bank was asked to make it. */
  readonly executionOn: string;
  /** Somebody has said that the bank has the file. */
  readonly isSent: boolean;
  /** Below zero. */
  readonly amountOre: Ore;
  /** Of documents; none of tax, which goes to the tax account. */
  readonly parts: readonly MatchPart[];
}

/** What a provider of payments has said that it pays out, and no row of the bank has brought yet. */
export interface MatchSettlement {
  readonly id: string;
  readonly provider: string;
  /** The provider's own name of it, and what the bank's row says where that is another. */
  readonly number: string;
  readonly reference: string | null;
  readonly day: string;
  /** The clearing account. */
  readonly account: number;
  readonly amountOre: Ore;
}

/** What a customer has paid too much (2420), and has not been given back. */
export interface MatchCredit {
  readonly name: string;
  /** Below zero, as it would go back. */
  readonly amountOre: Ore;
}

/** A voucher that changes the account, with what of the change no row is matched with yet. */
export interface MatchVoucher {
  readonly id: string;
  readonly accountId: string;
  readonly day: string;
  readonly roomOre: Ore;
  /** Its description and counterparty, and references of what it books. */
  readonly text: string;
}

/** A row that a voucher books, which a later row may take back. */
export interface EarlierRow {
  readonly id: string;
  readonly accountId: string;
  readonly day: string;
  readonly amountOre: Ore;
  readonly text: string;
  readonly endToEndIds: readonly string[];
  /** The documents it paid. */
  readonly documentIds: readonly string[];
}

/** What a person has said of rows like these, or has booked them as so far. */
export interface MatchRule {
  readonly id: string;
  /** A row's text begins with it; case and repeated blanks do not count. */
  readonly text: string;
  /** Which way the money goes; null is either. */
  readonly direction: 'in' | 'out' | null;
  readonly account: number;
  /** True when it was gathered from what people booked, not said by anybody. */
  readonly isLearnt: boolean;
}

/** Everything that rows are held against. */
export interface MatchWorld {
  readonly rows: readonly UnmatchedRow[];
  readonly documents: readonly MatchDocument[];
  readonly payouts: readonly MatchPayout[];
  readonly settlements: readonly MatchSettlement[];
  readonly credits: readonly MatchCredit[];
  readonly vouchers: readonly MatchVoucher[];
  readonly earlier: readonly EarlierRow[];
  readonly rules: readonly MatchRule[];
  readonly own: {
    /** Our own bankgiro and account numbers, by account; digits and letters alone. */
    readonly accounts: readonly {
      readonly accountId: string;
      readonly numbers: readonly string[];
    }[];
    /** Ten digits, by which taxes are ours or our owner's; null before there is a company. */
    readonly organizationNumber: string | null;
  };
}

/** So much of a document. */
export interface MatchPart {
  readonly kind: MatchDocument['kind'];
  readonly documentId: string;
  /** By the bank's sign. */
  readonly amountOre: Ore;
}

/**
 * What is left of a row beside its documents: rounding (3740), the bank's fee (6570), what the krona has moved since they
 * were booked (3960, 7960), a customer's credit (2420).
 */
export type MatchDifference =
  | {
      readonly kind: 'rounding' | 'bank_fee' | 'exchange';
      readonly amountOre: Ore;
      /** Of the several, the one document that it is of. */
      readonly documentId?: string;
    }
  | { readonly kind: 'credit'; readonly amountOre: Ore; readonly owedTo: readonly OwedBack[] };

/** What a customer is to have back, above zero; those of a credit come to it. */
export interface OwedBack {
  readonly name: string;
  readonly amountOre: Ore;
}

export type MatchTarget =
  | { readonly kind: 'voucher'; readonly voucherId: string }
  /** What a provider pays out, against its clearing account. */
  | { readonly kind: 'settlement'; readonly settlementId: string; readonly account: number }
  | {
      readonly kind: 'documents';
      readonly parts: readonly MatchPart[];
      readonly difference: MatchDifference | null;
      /** Payments of files that it makes. */
      readonly payoutIds?: readonly string[];
    }
  /** A row of another account of ours, the other way. */
  | { readonly kind: 'transfer'; readonly rowId: string }
  /** The row takes an earlier one back. */
  | { readonly kind: 'return'; readonly earlierId: string }
  | {
      readonly kind: 'account';
      readonly account: number;
      readonly ruleId: string | null;
      readonly payoutIds?: readonly string[];
      /** Whose money it is. */
      readonly counterparty?: string | null;
    };

/** Why a row is held for something; each is told in words. */
export type MatchReason =
  | 'end_to_end_id'
  | 'payment_batch'
  | 'payment_file'
  | 'settlement_number'
  | 'provider_name'
  | 'ocr'
  | 'reference'
  | 'document_number'
  | 'number_in_text'
  | 'payer_account'
  | 'payer_name'
  | 'phone'
  | 'whole_amount'
  | 'part_amount'
  | 'several_documents'
  | 'only_amount'
  | 'rounded'
  | 'fee_deducted'
  | 'exchange_rate'
  | 'paid_too_much'
  | 'paid_before'
  | 'day_near'
  | 'opposite_row'
  | 'own_account'
  | 'returned'
  | 'tax_account'
  | 'bank_charge'
  | 'interest'
  | 'rule'
  | 'learnt_rule';

/** Why a row is held for nothing. */
export type NoMatchReason =
  /** Two or more fit equally well. */
  | 'several_fit'
  /** A deposit of several payments, without their details. */
  | 'lump_without_details'
  /** Of several payments some are known and some are not. */
  | 'partly_known'
  /** The row of another account of ours books it, and is the voucher of this one then. */
  | 'booked_by_other'
  | 'nothing_fits';

export type Match =
  | {
      /** `exact` may be booked without a person; of a `likely` one a person decides. */
      readonly certainty: 'exact' | 'likely';
      /** 0–100. */
      readonly score: number;
      readonly reasons: readonly MatchReason[];
      readonly target: MatchTarget;
    }
  | { readonly certainty: 'none'; readonly reason: NoMatchReason };

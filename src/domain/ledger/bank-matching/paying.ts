/**
 * What documents a payment pays. The surest sign decides: our own name of the payment, then the reference, the document's
 * number, and last the party or the amount alone. Where two fit equally well, none is held for it.
 */

import { homeCurrency } from '../../basics/exchange-rate.ts';
import { isOcrNumber } from '../../basics/luhn.ts';
import { absolute, type Ore, sum } from '../../basics/money.ts';
import { type Documents, goesAs } from './documents.ts';
import { type PaymentMarks, phonesIn } from './marks.ts';
import type {
  MatchDifference,
  MatchDocument,
  MatchPart,
  MatchParty,
  MatchReason,
  NoMatchReason,
} from './match.ts';
import { candidatesMax, onlyNetSet, onlySet } from './subset-sum.ts';

export interface Paid {
  readonly certainty: 'exact' | 'likely';
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly parts: readonly MatchPart[];
  readonly difference: MatchDifference | null;
  /** Payments of our files that it is. */
  readonly payoutIds?: readonly string[];
}

/** A payment with what came through, and how. */
export interface ReadPayment {
  readonly marks: PaymentMarks;
  readonly amountOre: Ore;
  /** What is issued later is not paid yet. */
  readonly day: string;
  /** Sent to or from another country. */
  readonly isAbroad: boolean;
}

export type PaidOrNot = Paid | NoMatchReason;

export function whatIsPaid(documents: Documents, payment: ReadPayment): PaidOrNot {
  for (const sign of signs) {
    const answer = sign(documents, payment);
    if (answer !== null) return answer;
  }
  return 'nothing_fits';
}

type Sign = (documents: Documents, payment: ReadPayment) => PaidOrNot | null;

/** Öre alone that differ are rounding (lag 1970:1029). */
const roundingOreMax: Ore = 99n;
/** A bank abroad keeps no more than this of a payment, in öre and as a part of it. */
const feeOreMax: Ore = 30_000n;
const feePart = 20n;
/** No more than this part of it is what a rate has moved since a document was booked: more is suggested as something else. */
const exchangePart = 10n;

const byEndToEndId: Sign = (documents, { marks, amountOre }) => {
  const named = new Set(marks.endToEndIds.map((name) => documents.payoutNamed(name)));
  const [payout, ...others] = named;
  // Tax is paid to an account.
  if (!payout || others.length > 0 || payout.parts.length === 0) return null;
  if (payout.amountOre !== amountOre) return null;
  const { id, parts } = payout;
  const reasons = ['end_to_end_id', 'whole_amount'] as const;
  return { certainty: 'exact', score: 100, reasons, parts, difference: null, payoutIds: [id] };
};

const byReference: Sign = (documents, payment) => {
  const { marks } = payment;
  // A number that could be a telephone's is a reference where it and the whole amount say the same.
  const inText = [...marks.numbers].filter(
    (one) =>
      !marks.doubtful.has(one) ||
      (isOcrNumber(one) &&
        one.length > dayLength &&
        documents.byReference(one).some((found) => documents.openOf(found) === payment.amountOre)),
  );
  const given = groupsOf(documents, payment, marks.references, (one) => documents.byReference(one));
  if (given.length > 0) return ofNamed(documents, payment, given, { reason: 'ocr', isSure: true });
  const read = groupsOf(
    documents,
    payment,
    inText.filter((one) => one.length >= textReferenceMin),
    (one) => documents.byReference(one),
  );
  // The same digits may be meant as the number of another document that is open with the same sum.
  const isSure = !inText.some((one) =>
    documents
      .byNumber(one)
      .some(
        (other) =>
          documents.openOf(other) === payment.amountOre &&
          !read.some((group) => group.includes(other)),
      ),
  );
  return ofNamed(documents, payment, read, { reason: 'reference', isSure });
};

/** Digits of a day; a longer number is none. */
const dayLength = 8;
/** A shorter number in a text can be anything. */
const textReferenceMin = 5;

const byDocumentNumber: Sign = (documents, payment) => {
  const { marks } = payment;
  const given = [...marks.documents, ...marks.references];
  // Named in fields of their own, credits are named with the invoices they are taken from.
  const areCredits = marks.documents.size > 1;
  const groups = groupsOf(documents, payment, given, (one) => documents.byNumber(one), areCredits);
  const isSure = marks.documents.size > 0 && marks.references.size === 0;
  return ofNamed(documents, payment, groups, { reason: 'document_number', isSure });
};

const byNumberInText: Sign = (documents, payment) => {
  const { marks, amountOre } = payment;
  const numbers = [...marks.numbers].filter((one) => !marks.doubtful.has(one));
  const groups = groupsOf(documents, payment, numbers, (one) => documents.byNumber(one));
  const { parties } = documents.partiesOf(marks);
  const isNamed = (one: MatchDocument) => parties.includes(one.party);
  // A number alone is too little: the amount, or whom it is from, must say the same.
  const named = groups
    .map((group) => group.filter((one) => documents.openOf(one) === amountOre || isNamed(one)))
    .filter((group) => group.length > 0);
  if (named.length > 0) {
    return ofNamed(documents, payment, named, { reason: 'number_in_text', isSure: false });
  }
  const whole = groups.length > 1 ? wholeOf(documents, groups.flat(), amountOre) : null;
  const reasons = ['number_in_text', 'several_documents', 'whole_amount'] as const;
  return whole && { certainty: 'likely', score: 75, reasons, ...whole };
};

const byParty: Sign = (documents, { marks, ...money }) => {
  const { sign, parties } = documents.partiesOf(marks);
  const ofThem = parties.map((party) => ofParty(documents, party, money));
  const found = ofThem.filter((one) => one !== null);
  const [only, ...others] = found;
  if (only === undefined) return null;
  if (others.length > 0 || only === 'several_fit') return 'several_fit';
  const score = only.score + { payer_account: 15, payer_name: 5, phone: 0 }[sign];
  return { ...only, certainty: 'likely', score, reasons: [sign, ...only.reasons] };
};

type OfParty = Omit<Paid, 'certainty'>;

/** One document of the amount, or the only set of them that comes to it; else one but for öre, or the bank's fee. */
function ofParty(
  documents: Documents,
  party: MatchParty,
  { amountOre, day, isAbroad }: Omit<ReadPayment, 'marks'>,
): OfParty | 'several_fit' | null {
  const wanted = absolute(amountOre);
  const open: MatchDocument[] = [];
  const alone: MatchDocument[] = [];
  let lessCount = 0;
  for (const one of documents.openOfParty(party, amountOre)) {
    if (one.issuedOn > day) continue;
    const ore = absolute(documents.openOf(one));
    open.push(one);
    if (ore === wanted) alone.push(one);
    if (ore < wanted) lessCount += 1;
    // Whatever the others are: of a customer's thousands it is asked for each row.
    if (alone.length > 1 || lessCount > candidatesMax) return 'several_fit';
  }
  const set = onlySet(
    open.map((one) => absolute(documents.openOf(one))),
    wanted,
  );
  const [one] = alone;
  if (one) {
    // Another set of the party's documents would come to the same.
    return set === null
      ? { score: 65, reasons: ['whole_amount'], parts: partsOf(documents, [one]), difference: null }
      : 'several_fit';
  }
  if (set === 'several') return 'several_fit';
  if (set !== null) {
    const parts = partsOf(
      documents,
      open.filter((_, place) => set.includes(place)),
    );
    const reasons = ['several_documents', 'whole_amount'] as const;
    return { score: 55, reasons, parts, difference: null };
  }
  const near = open
    .map((document) => nearlyWhole(documents, document, { amountOre, isAbroad }))
    .filter((found) => found !== null);
  if (near.length > 1) return 'several_fit';
  if (near[0]) return { score: 50, ...near[0] };
  const net = setOff(documents, party, { amountOre, day });
  if (net === 'several_fit') return net;
  if (net !== null) return { score: 50, ...net };
  const moved = open
    .map((document) => wholeAtOtherRate(documents, document, amountOre))
    .filter((found) => found !== null);
  if (moved.length > 1) return 'several_fit';
  return moved[0] ? { score: 45, ...moved[0] } : null;
}

/**
 * The only set of the party's documents, credits among them, that comes to the amount. Only what nothing else explains is
 * held for it: whoever pays one whole document seldom means another less a credit.
 */
function setOff(
  documents: Documents,
  party: MatchParty,
  { amountOre, day }: Pick<ReadPayment, 'amountOre' | 'day'>,
  named?: MatchDocument,
): Pick<Paid, 'reasons' | 'parts' | 'difference'> | 'several_fit' | null {
  const isMeant = ({ issuedOn }: MatchDocument) => issuedOn <= day;
  const credits = [...documents.openOfParty(party, -amountOre)].filter(isMeant);
  if (credits.length === 0) return null;
  const beside = [...documents.openOfParty(party, amountOre)].filter(isMeant);
  const open = [...beside, ...credits].filter((one) => one !== named);
  const namedOre = named ? documents.openOf(named) : 0n;
  const set = onlyNetSet(
    open.map((one) => documents.openOf(one)),
    amountOre - namedOre,
  );
  if (set === 'several') return 'several_fit';
  if (set === null) return null;
  const some = open.filter((_, place) => set.includes(place));
  const parts = partsOf(documents, named ? [named, ...some] : some);
  return { reasons: ['several_documents', 'whole_amount'], parts, difference: null };
}

const byAmountAlone: Sign = (documents, { marks, amountOre, day }) => {
  const isSilent =
    marks.name === null &&
    marks.words.length === 0 &&
    marks.accounts.length === 0 &&
    phonesIn(marks.text).length === 0 &&
    // Money of ours that went out under a name we do not know is no matter of amounts.
    (amountOre > 0n || marks.endToEndIds.length === 0) &&
    marks.references.size === 0 &&
    marks.documents.size === 0 &&
    [...marks.numbers].every((one) => marks.doubtful.has(one) || one.length < textReferenceMin);
  if (!isSilent) return null;
  const alone = documents.ofAmount(amountOre).filter(({ issuedOn }) => issuedOn <= day);
  if (alone.length > 1) return 'several_fit';
  const open = documents
    .openOnes(amountOre, candidatesMax + 1)
    .filter(({ issuedOn }) => issuedOn <= day);
  const set = onlySet(
    open.map((one) => absolute(documents.openOf(one))),
    absolute(amountOre),
  );
  const [one] = alone;
  if (!one) return set === null ? null : 'lump_without_details';
  if (open.length > candidatesMax || set !== null) return 'several_fit';
  const parts = partsOf(documents, [one]);
  return { certainty: 'likely', score: 35, reasons: ['only_amount'], parts, difference: null };
};

/** From the surest to the weakest. */
const signs: readonly Sign[] = [
  byEndToEndId,
  byReference,
  byDocumentNumber,
  byNumberInText,
  byParty,
  byAmountAlone,
];

/** The documents that each number names and that the money can be for: one group a number. */
function groupsOf(
  documents: Documents,
  { amountOre }: ReadPayment,
  numbers: Iterable<string>,
  find: (number: string) => readonly MatchDocument[],
  isEitherWay = false,
): MatchDocument[][] {
  const groups: MatchDocument[][] = [];
  const seen = new Set<MatchDocument>();
  for (const number of numbers) {
    const group = find(number).filter((one) => {
      const isOfThisWay =
        isEitherWay || goesAs(one.totalOre, amountOre) || goesAs(documents.openOf(one), amountOre);
      return isOfThisWay && !seen.has(one);
    });
    for (const one of group) seen.add(one);
    if (group.length > 0) groups.push(group);
  }
  return groups;
}

/** What is named and how surely. */
interface Naming {
  readonly reason: MatchReason;
  /** Whether it and the whole amount together leave no doubt. */
  readonly isSure: boolean;
}

function ofNamed(
  documents: Documents,
  payment: ReadPayment,
  groups: readonly (readonly MatchDocument[])[],
  naming: Naming,
): PaidOrNot | null {
  const { amountOre } = payment;
  const [group, ...others] = groups;
  if (!group) return null;
  const { reason, isSure } = naming;
  const certainty = isSure ? 'exact' : 'likely';
  if (others.length > 0) {
    const named = groups
      .map((some) => meant(documents, payment, some))
      .filter((one) => one !== null);
    if (named.length < groups.length) return 'several_fit';
    const whole = wholeOf(documents, named, amountOre);
    if (whole) {
      const reasons = [reason, 'several_documents', 'whole_amount'] as const;
      return { certainty, score: isSure ? 98 : 75, reasons, ...whole };
    }
    const alone = named.filter((one) => documents.openOf(one) === amountOre);
    const [only] = alone;
    if (!only || alone.length > 1) return 'several_fit';
    const parts = partsOf(documents, [only]);
    return {
      certainty: 'likely',
      score: 60,
      reasons: [reason, 'whole_amount'],
      parts,
      difference: null,
    };
  }
  const one = meant(documents, payment, group);
  if (one === null) return 'several_fit';
  if (documents.openOf(one) !== amountOre) return ofOtherAmount(documents, one, payment, naming);
  const parts = partsOf(documents, [one]);
  // Every supplier has an invoice of that number.
  if (
    one.kind === 'purchase' &&
    reason === 'document_number' &&
    !isParty(documents, payment, one)
  ) {
    return {
      certainty: 'likely',
      score: 80,
      reasons: [reason, 'whole_amount'],
      parts,
      difference: null,
    };
  }
  const score = isSure ? 99 : 80;
  // Of several that are open under the number, something else has told which.
  const isOnly = group.filter((other) => documents.openOf(other) !== 0n).length === 1;
  return {
    certainty: isOnly ? certainty : 'likely',
    score,
    reasons: [reason, 'whole_amount'],
    parts,
    difference: null,
  };
}

/** Of those that one number names the one that is meant: of the amount, or of the party; null when that is not said. */
function meant(
  documents: Documents,
  { marks, amountOre }: ReadPayment,
  group: readonly MatchDocument[],
): MatchDocument | null {
  const { parties } = documents.partiesOf(marks);
  const narrower: ((one: MatchDocument) => boolean)[] = [
    (one) => documents.openOf(one) !== 0n,
    (one) => parties.length === 0 || parties.includes(one.party),
    (one) => documents.openOf(one) === amountOre,
  ];
  let left = group;
  for (const isMeant of narrower) {
    const some = left.filter(isMeant);
    if (some.length > 0) left = some;
  }
  return left.length === 1 ? (left[0] ?? null) : null;
}

const isParty = (documents: Documents, { marks }: ReadPayment, { party }: MatchDocument): boolean =>
  documents.partiesOf(marks).parties.includes(party);

/** One document is named, and the money is not what is open of it. */
function ofOtherAmount(
  documents: Documents,
  one: MatchDocument,
  { amountOre, day, isAbroad }: ReadPayment,
  { reason, isSure }: Naming,
): PaidOrNot | null {
  const openOre = documents.openOf(one);
  const less = isSure ? 0 : 15;
  const answer = (score: number, rest: Omit<Paid, 'certainty' | 'score'>): Paid => ({
    certainty: 'likely',
    ...rest,
    score: score - less,
    reasons: [reason, ...rest.reasons],
  });
  if (openOre === 0n) {
    // Paid once more, it is paid with the same sum; with another it is somebody's mistake in the number.
    if (one.kind !== 'invoice' || amountOre !== one.totalOre || !isSure) return null;
    const difference = creditOf(one, amountOre);
    return answer(60, { reasons: ['paid_before'], parts: [], difference });
  }
  if (!goesAs(openOre, amountOre)) return null;
  const near = nearlyWhole(documents, one, { amountOre, isAbroad });
  if (near) return answer(95, near);
  if (absolute(amountOre) < absolute(openOre)) {
    const net = setOff(documents, one.party, { amountOre, day }, one);
    if (net !== null && net !== 'several_fit') return answer(80, net);
    const whole = wholeAtOtherRate(documents, one, amountOre);
    if (whole) return answer(88, whole);
    const parts = [{ kind: one.kind, documentId: one.id, amountOre }];
    return answer(90, { reasons: ['part_amount'], parts, difference: null });
  }
  const beside = [...documents.openOfParty(one.party, amountOre)].filter(
    (other) => other !== one && documents.openOf(other) !== 0n,
  );
  const restOre = absolute(amountOre - openOre);
  const alone = beside.filter((other) => absolute(documents.openOf(other)) === restOre);
  const set = onlySet(
    beside.map((other) => absolute(documents.openOf(other))),
    restOre,
  );
  const rest =
    alone.length === 1 && set === null
      ? alone
      : alone.length === 0 && Array.isArray(set)
        ? beside.filter((_, place) => set.includes(place))
        : [];
  if (rest.length > 0) {
    const parts = partsOf(documents, [one, ...rest]);
    return answer(80, { reasons: ['several_documents', 'whole_amount'], parts, difference: null });
  }
  if (alone.length > 0 || set !== null) return 'several_fit';
  const net = setOff(documents, one.party, { amountOre, day }, one);
  if (net !== null) return net === 'several_fit' ? net : answer(80, net);
  const whole = wholeAtOtherRate(documents, one, amountOre);
  if (whole) return answer(88, whole);
  if (one.kind !== 'invoice' || amountOre < 0n) return isSure ? 'nothing_fits' : null;
  const difference = creditOf(one, amountOre - openOre);
  return answer(85, { reasons: ['paid_too_much'], parts: partsOf(documents, [one]), difference });
}

const creditOf = ({ party: { name } }: MatchDocument, amountOre: Ore): MatchDifference => ({
  kind: 'credit',
  amountOre,
  owedTo: [{ name, amountOre }],
});

/** All of a document in another currency, in the kronor of the day it is paid. */
function wholeAtOtherRate(
  documents: Documents,
  one: MatchDocument,
  amountOre: Ore,
): Omit<Paid, 'certainty' | 'score'> | null {
  const openOre = documents.openOf(one);
  const differenceOre = amountOre - openOre;
  if (one.currency === homeCurrency || absolute(differenceOre) * exchangePart > absolute(openOre)) {
    return null;
  }
  const difference = { kind: 'exchange', amountOre: differenceOre } as const;
  return { reasons: ['exchange_rate'], parts: partsOf(documents, [one]), difference };
}

/** All of it, but for öre, or for what a bank abroad has kept: of kronor, since a rate explains both of other currencies. */
function nearlyWhole(
  documents: Documents,
  one: MatchDocument,
  { amountOre, isAbroad }: Pick<ReadPayment, 'amountOre' | 'isAbroad'>,
): Omit<Paid, 'certainty' | 'score'> | null {
  if (one.currency !== homeCurrency) return null;
  const openOre = documents.openOf(one);
  const differenceOre = amountOre - openOre;
  const parts = partsOf(documents, [one]);
  if (absolute(differenceOre) <= roundingOreMax) {
    const difference = { kind: 'rounding', amountOre: differenceOre } as const;
    return { reasons: ['rounded'], parts, difference };
  }
  const isFee =
    isAbroad &&
    openOre > 0n &&
    differenceOre < 0n &&
    -differenceOre <= feeOreMax &&
    -differenceOre * feePart <= openOre;
  if (!isFee) return null;
  const difference = { kind: 'bank_fee', amountOre: differenceOre } as const;
  return { reasons: ['fee_deducted'], parts, difference };
}

/** All that is open of them, when it comes to the amount. */
function wholeOf(
  documents: Documents,
  some: readonly MatchDocument[],
  amountOre: Ore,
): { readonly parts: readonly MatchPart[]; readonly difference: null } | null {
  const open = known(some).filter((one) => documents.openOf(one) !== 0n);
  // Customers' and suppliers' are settled by vouchers of their own.
  if (new Set(open.map(({ kind }) => kind)).size > 1) return null;
  if (sum(open.map((one) => documents.openOf(one))) !== amountOre) return null;
  return { parts: partsOf(documents, open), difference: null };
}

const partsOf = (documents: Documents, some: readonly MatchDocument[]): MatchPart[] =>
  some.map((one) => ({
    kind: one.kind,
    documentId: one.id,
    amountOre: documents.openOf(one),
  }));

const known = (some: readonly MatchDocument[]): MatchDocument[] => [...new Set(some)];

/**
 * What a careful bookkeeper would say of each row, by story and place: written apart from what builds the rows, and from
 * any matching. `mayBeExact` only where the evidence is conclusive: our EndToEndId, a right OCR or structured reference
 * with the exact open sum of one document, all payments of a lump so known, or a voucher of the sum, near in time, whose
 * text shares a name or number.
 */
import type {
  MatchDifference,
  MatchDocument,
  MatchTarget,
  MatchWorld,
  UnmatchedRow,
} from '../../src/domain/ledger/bank-matching/match.ts';

/** A target, or `none` where holding the row for nothing is right. */
export type Right = MatchTarget | 'none';
type Say = (at: { row: UnmatchedRow; world: MatchWorld; instance: string }) => Right;

interface RowTruth {
  readonly right: readonly Say[];
  readonly mayBeExact: boolean;
}
export interface StoryTruth {
  readonly why: string;
  /** By place; the last stands for those after it. */
  readonly rows: readonly RowTruth[];
}

const none: Say = () => 'none';
const nothing: RowTruth = { right: [none], mayBeExact: false };
const sure = (...right: Say[]): RowTruth => ({ right, mayBeExact: true });
const likely = (...right: Say[]): RowTruth => ({ right, mayBeExact: false });

function find(world: MatchWorld, id: string): MatchDocument {
  const document = world.documents.find((one) => one.id === id);
  if (!document) throw new Error(`The truth names ${id}, which its world has not.`);
  return document;
}

/** Each of them, whole; what the row has beside them is a difference of this kind. */
function whole(keys: readonly string[], kind: MatchDifference['kind'] | null = null): Say {
  return ({ row, world, instance }) => {
    const documents = keys.map((key) => find(world, `${instance}.${key}`));
    const parts = documents.map((one) => ({
      ...{ kind: one.kind, documentId: one.id, amountOre: one.openOre },
    }));
    const left = row.amountOre - parts.reduce((all, one) => all + one.amountOre, 0n);
    const difference =
      kind === 'credit' ? creditOf(documents[0], left) : kind && { kind, amountOre: left };
    return { kind: 'documents', parts, difference };
  };
}
/** The first letters' documents, as many as stand in the world. */
const wholeOfMany =
  (keys: string): Say =>
  (at) =>
    whole(
      [...keys].filter((key) =>
        at.world.documents.some((one) => one.id === `${at.instance}.${key}`),
      ),
    )(at);
/** The documents before the last whole, and of the last what is left of the row. */
const part =
  (...keys: string[]): Say =>
  ({ row, world, instance }) => {
    let left = row.amountOre;
    const parts = keys.map((key, i) => {
      const one = find(world, `${instance}.${key}`);
      const amountOre = i === keys.length - 1 ? left : one.openOre;
      left -= amountOre;
      return { kind: one.kind, documentId: one.id, amountOre };
    });
    return { kind: 'documents', parts, difference: null };
  };
const creditOf = (document: MatchDocument | undefined, amountOre: bigint): MatchDifference => ({
  ...{ kind: 'credit', amountOre },
  owedTo: [{ name: document?.party.name ?? '', amountOre }],
});
/** All of it is money of whom the document is to, which is paid already. */
const allCredit =
  (key: string): Say =>
  ({ row, world, instance }) => ({
    ...{ kind: 'documents', parts: [] },
    difference: creditOf(find(world, `${instance}.${key}`), row.amountOre),
  });
const voucher: Say = ({ instance }) => ({ kind: 'voucher', voucherId: `${instance}.v` });
const returned: Say = ({ instance }) => ({ kind: 'return', earlierId: `${instance}.e` });
const transfer =
  (place: number): Say =>
  ({ instance }) => ({ kind: 'transfer', rowId: `${instance}.${place}` });
const account =
  (number: number): Say =>
  () => ({ kind: 'account', account: number, ruleId: null });
const ruled =
  (number: number): Say =>
  ({ instance }) => ({ kind: 'account', account: number, ruleId: `${instance}.r` });

const settled: Say = ({ instance, world }) => {
  const found = world.settlements.find(({ id }) => id === `${instance}.s`);
  if (!found) throw new Error(`The truth names ${instance}.s, which its world has not.`);
  return { kind: 'settlement', settlementId: found.id, account: found.account };
};

const say = (why: string, ...rows: RowTruth[]): StoryTruth => ({ why, rows });

export const truth: Readonly<Record<string, StoryTruth>> = {
  settlement_named: say('The provider’s own number and the sum that it has told.', sure(settled)),
  settlement_by_reference: say('What the provider said that the bank would say.', sure(settled)),
  settlement_by_provider: say(
    'The provider’s name and the sum: a person sees it.',
    likely(settled),
  ),
  settlement_of_other_sum: say(
    'The number is right, the money is not: something is missing.',
    nothing,
  ),
  settlements_alike: say('Two of the sum wait, and nothing tells which.', nothing),
  provider_named_like_a_customer: say('A name that begins alike is another’s.', nothing),
  tie_of_what_is_paid: say('What it was to pay is paid: paid twice, or booked before.', nothing),
  tie_of_more_than_is_open: say('It was to pay more than is owed by now.', nothing),
  batch_named: say('Our name of the batch, and all of it.', sure(wholeOfMany('abc'))),
  batch_that_lacks_one: say(
    'One of the batch was not made; which two were is told by the sum alone.',
    likely(none, whole(['a', 'b'])),
  ),
  ocr_within_a_longer_number: say('Digits within a longer number are not the OCR.', nothing),
  ocr_in_an_opaque_name: say(
    'The whole OCR stands alone among letters, and the sum is right.',
    sure(whole(['a'])),
  ),
  cash_brought_to_the_bank: say(
    'The day’s cash: an invoice of the sum is chance, and a person may wonder.',
    likely(none, whole(['same_sum'])),
  ),
  ocr_exact: say(
    'Our OCR and the whole open sum; equal sums of others do not matter.',
    sure(whole(['a'])),
  ),
  ocr_with_zeros_and_blanks: say(
    'Banks fill an OCR with zeros or blanks; it is the same OCR.',
    sure(whole(['a'])),
  ),
  ocr_exact_payer_is_another: say(
    'Who pays is free to be another; the OCR says what is paid.',
    sure(whole(['a'])),
  ),
  ocr_part_payment: say(
    'The OCR says which; the rest stays open, whatever else has that sum.',
    likely(part('a')),
  ),
  ocr_rounded: say(
    'Under a krona off is rounding; a person sees it.',
    likely(whole(['a'], 'rounding')),
  ),
  ocr_paid_too_much: say(
    'What is beyond the open sum is owed back.',
    likely(whole(['a'], 'credit')),
  ),
  ocr_paid_twice: say(
    'The first settles, the second is owed back whole.',
    sure(whole(['a'])),
    likely(allCredit('a')),
  ),
  ocr_of_settled_whole_again: say(
    'Paid before, the same sum by the same payer: owed back, not another invoice.',
    likely(allCredit('a')),
  ),
  ocr_of_settled_named_payer: say(
    'The OCR is another’s, but payer and sum fit one: a person may see it or find it.',
    likely(none, whole(['a'])),
  ),
  ocr_without_tie: say(
    'The bank says that no EndToEndId was given; the OCR and the sum are right.',
    sure(whole(['a'])),
  ),
  ocr_rest_of_part_paid: say('The OCR and exactly what is still open.', sure(whole(['a']))),
  one_payment_many_references: say(
    'Every OCR is known and they add up.',
    sure(wholeOfMany('abcdefgh')),
  ),
  one_payment_invoice_and_credit: say(
    'Invoice less credit note, both named in structure, add up.',
    sure(whole(['a', 'credit'])),
  ),
  numbers_of_two_in_text: say(
    'Two numbers in free text add up: strong, but text.',
    likely(whole(['a', 'b'])),
  ),
  lump_all_known: say(
    'All payments are known and add up; one invoice of the whole sum is chance.',
    sure(wholeOfMany('abcde')),
  ),
  lump_one_in_part: say('Known, but one pays less than is open.', likely(part('a', 'b'))),
  number_named_cinv: say(
    'The number in structure with the exact sum; a stray slash is common.',
    sure(whole(['a'])),
  ),
  number_in_text: say('The number in free text with the sum is a proposal.', likely(whole(['a']))),
  payer_account_and_sum: say(
    'Paid from there before and the sum fits one of theirs.',
    likely(whole(['a'])),
  ),
  payer_name_and_sum: say('A name and a sum are a proposal, never more.', likely(whole(['a']))),
  payer_name_chooses_of_equal_sums: say(
    'The name tells which of two equal sums.',
    likely(whole(['a'])),
  ),
  neutral_text_one_sum: say(
    'Only the sum fits: proposing it and leaving it are both fair.',
    likely(whole(['a']), none),
  ),
  swish_known_phone: say(
    'The phone is the customer’s and the sum fits their only invoice.',
    likely(whole(['a'])),
  ),
  foreign_fee_deducted: say(
    'Number named, a small part held back abroad: the bank’s fee.',
    likely(whole(['a'], 'bank_fee')),
  ),
  foreign_far_too_little: say('Half is no fee; it is a part payment.', likely(part('a'))),
  refund_to_customer: say('We pay a credit back, named by number in text.', likely(whole(['a']))),
  refund_with_our_tie: say('Our own EndToEndId and the sum.', sure(whole(['a']))),
  tie_single: say('Our own EndToEndId and the sum.', sure(whole(['a']))),
  tie_several: say(
    'Every payment has an EndToEndId of ours and they add up.',
    sure(wholeOfMany('abcdef')),
  ),
  tie_against_name: say('Our EndToEndId is stronger than a name in text.', sure(whole(['a']))),
  supplier_ocr_in_reference: say(
    'The supplier’s OCR in structure with the exact sum, and their name.',
    sure(whole(['a'])),
  ),
  supplier_ocr_in_text: say(
    'A long right OCR and the exact sum in the text tell which of two.',
    sure(whole(['a'])),
  ),
  supplier_number_in_text: say('Their number in free text is a proposal.', likely(whole(['a']))),
  same_ocr_account_tells: say(
    'Two suppliers ask for the same OCR; the bankgiro paid to tells, and a person looks.',
    likely(whole(['a'])),
  ),
  autogiro_name: say('The name tells which of two equal sums.', likely(whole(['a']))),
  autogiro_other_sum: say(
    'The name alone with another sum: their other bill, or part of this one.',
    likely(none, part('a')),
  ),
  supplier_part_by_ocr: say('The OCR says which; half is left.', likely(part('a'))),
  supplier_name_and_sum: say('A name and a sum are a proposal.', likely(whole(['a']))),
  supplier_credit_paid_back: say(
    'Their credit, by its reference and exact sum.',
    sure(whole(['a'])),
  ),
  returned_with_tie: say(
    'Our EndToEndId comes back with a reason; the document is not paid by it.',
    sure(returned),
  ),
  returned_autogiro: say(
    'Taken back with the same text and sum; no customer paid.',
    likely(returned),
  ),
  returned_two_alike: say('Either of two may be taken back.', nothing),
  voucher_name: say('Booked already: same sum, two days apart, same name.', sure(voucher)),
  voucher_name_of_two: say('The name tells which of two vouchers.', sure(voucher)),
  voucher_number: say('Booked already: same sum and the number.', sure(voucher)),
  voucher_salaries: say(
    'Only a word in common; the sum and the day fit one voucher.',
    likely(voucher),
  ),
  transfer_two_accounts: say(
    'The same sum the other way, and both say transfer.',
    likely(transfer(1)),
    likely(transfer(0)),
  ),
  transfer_ambiguous: say('Two rows fit the one; which of them nobody can tell.', nothing),
  transfer_no_counterpart: say('The other account is not seen.', nothing),
  tax_payment: say('5050-1055 is the tax account, never a supplier.', likely(account(1630))),
  tax_refund: say(
    'Skatteverket pays back from the tax account, whatever invoice has the sum.',
    likely(account(1630)),
  ),
  tax_rows: say(
    'The tax account’s own words.',
    ...[2650, 2731, 2710, 8314, 8423].map((number) => likely(account(number))),
  ),
  bank_fee: say('The bank’s own words for its fee.', likely(account(6570))),
  bank_interest: say('Interest in.', likely(account(8310))),
  rule_said: say('A person said it; case and blanks do not count.', likely(ruled(5010))),
  rule_learnt: say('Booked so before.', likely(ruled(6540))),
  rule_other_direction: say('The rule is of money out; this is money in.', nothing),
  two_equal_sums: say('Two fit equally well.', nothing),
  same_customer_two_equal: say('Two of the same customer fit equally well.', nothing),
  lump_without_details: say(
    'A lump’s parts are not known, though two invoices add up; its serial number is no invoice’s.',
    nothing,
  ),
  lump_equals_one_and_two: say('One invoice has the sum and so have two others.', nothing),
  lump_one_unknown: say('One payment is not known, so the row is not.', nothing),
  ocr_of_nobody: say('The payer named something that is not ours; the sum is chance.', nothing),
  ocr_typo_hits_settled: say(
    'The OCR is of another’s settled invoice of another sum; the open sum is chance.',
    nothing,
  ),
  stranger_with_anothers_sum: say('The text names somebody else than who owes the sum.', nothing),
  stranger_as_debtor: say('The payer named is somebody else than who owes the sum.', nothing),
  card_purchase: say('A card purchase wants its receipt; the day in it is no number.', nothing),
  card_equals_supplier_sum: say(
    'A card purchase in a shop is not a supplier’s bill of the same sum.',
    nothing,
  ),
  phone_like_number: say('The digits are a phone’s, and the sum is another.', nothing),
  giro_like_number: say('The digits are our own bankgiro, and the sum is another.', nothing),
  two_sets_give_the_sum: say('Two pairs of the same customer give the sum.', nothing),
  tie_unknown: say('Not paid from here: paid elsewhere, or fraud.', nothing),
  tie_one_unknown_of_three: say('One payment was not ours; a person must see the row.', nothing),
  same_ocr_two_suppliers: say(
    'The same OCR and sum of two suppliers, and nothing tells who was paid.',
    nothing,
  ),
  two_vouchers_alike: say('Two vouchers fit equally well.', nothing),
  voucher_ten_weeks_away: say('Ten weeks apart is another payment.', nothing),
  wrong_way: say('Money goes out; the invoice waits for money in.', nothing),
  swish_phone_of_nobody: say('The payer’s phone is not that customer’s.', nothing),
  swish_phone_with_two_equal: say('Two of the customer’s fit equally well.', nothing),
};

export interface Answer {
  readonly right: readonly Right[];
  readonly mayBeExact: boolean;
  readonly why: string;
}

export function truthOf(
  row: UnmatchedRow,
  world: MatchWorld,
  at: { story: string; place: number; instance: string },
): Answer {
  const told = truth[at.story];
  const said = told?.rows[Math.min(at.place, told.rows.length - 1)];
  if (!told || !said) throw new Error(`The truth says nothing of ${at.story}.`);
  const right = said.right.map((one) => one({ row, world, instance: at.instance }));
  return { right, mayBeExact: said.mayBeExact, why: told.why };
}

/** What a bank answers of a file (pain.002): what it takes and what it refuses, payment by payment. */

/** A status with the bank's reasons: of the file, a block or a payment. */
export interface AnsweredStatus {
  /** `ACCP`, `RJCT`, …; null where it is not said at this level. */
  readonly status: string | null;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
}

export interface BankAnswer {
  /** The `MsgId` of the file that is answered. */
  readonly messageId: string;
  readonly file: AnsweredStatus;
  readonly blocks: readonly (AnsweredStatus & {
    readonly blockId: string;
    readonly payments: readonly (AnsweredStatus & { readonly endToEndId: string })[];
  })[];
}

export interface AnsweredPayout {
  readonly endToEndId: string;
  readonly outcome: 'accepted' | 'refused';
  /** Of a refused one: the code, and what the bank says beside it. */
  readonly refusal: string | null;
}

/**
 * Received, checked, taken for the day, or made (ISO 20022, ExternalPaymentTransactionStatus1Code). Whatever else is said, as
 * pending (PDNG) or a code that is not known here, decides nothing: it is answered later, or looked at by somebody.
 */
const accepted: ReadonlySet<string> = new Set(
  'ACTC ACCP ACFC ACPD ACSP ACSC ACCC ACWC ACWP RCVD'.split(' '),
);
const refused = 'RJCT';

/**
 * What becomes of each payment: what is said of it, else of its block, else of the whole file. A payment that is pending is
 * not taken because its file is.
 */
export function answeredPayouts(
  { file, blocks }: BankAnswer,
  sent: readonly { readonly endToEndId: string; readonly blockId: string }[],
): AnsweredPayout[] {
  const ofBlock = new Map(blocks.map((one) => [one.blockId, one]));
  const ofPayment = new Map(
    blocks.flatMap(({ payments }) => payments.map((one) => [one.endToEndId, one] as const)),
  );
  return sent.flatMap(({ endToEndId, blockId }): AnsweredPayout[] => {
    const levels = [ofPayment.get(endToEndId), ofBlock.get(blockId), file];
    // Of a file or block that is taken in part (PART), its payments tell.
    const said = levels.find((one) => one?.status != null);
    if (said?.status === refused) {
      return [{ endToEndId, outcome: 'refused', refusal: refusalOf(said) }];
    }
    return accepted.has(said?.status ?? '')
      ? [{ endToEndId, outcome: 'accepted', refusal: null }]
      : [];
  });
}

const refusalMax = 500;

function refusalOf({ reasons }: AnsweredStatus): string {
  const words = reasons.map(({ code, text }) => [code, text].filter(Boolean).join(': '));
  return words.filter(Boolean).join('; ').slice(0, refusalMax) || refused;
}

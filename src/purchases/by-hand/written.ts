/** What was typed, as it is kept with a draft to be changed: amounts in hundredths of the invoice's currency, as digits. */
import type {
  Deduction,
  WrittenLine,
  WrittenPurchase,
} from '../../domain/purchases/written-purchase.ts';

/** A row as a person writes it. */
export interface HandLine extends Omit<WrittenLine, 'account'> {
  readonly account: number;
}

/** What the rows are worked out of, beside who and when. */
export interface HandAmounts
  extends Pick<WrittenPurchase, 'totalOre' | 'vatOre' | 'isVatIncluded'> {
  readonly lines: readonly HandLine[];
}

export interface WrittenJson {
  readonly totalOre: string;
  readonly vatOre: string | null;
  readonly isVatIncluded: boolean;
  readonly lines: readonly {
    readonly account: number;
    readonly ore: string | null;
    readonly vatCode: string;
    readonly deduction: Deduction;
    readonly note: string | null;
    readonly costCenter: string | null;
    readonly project: string | null;
  }[];
}

const digits = (ore: bigint | null): string | null => (ore === null ? null : String(ore));

export const writtenJson = ({
  totalOre,
  vatOre,
  isVatIncluded,
  lines,
}: HandAmounts): WrittenJson => ({
  totalOre: String(totalOre),
  vatOre: digits(vatOre),
  isVatIncluded,
  lines: lines.map((line) => ({ ...line, ore: digits(line.ore) })),
});

/** A VAT code as people read it. */
export interface VatFacts {
  readonly code: string;
  /** Per cent. */
  readonly rate: number | null;
  readonly box: string | null;
}

/** `MP1 · 25 % · ruta 05`. */
export function vatText({ code, rate, box }: VatFacts): string {
  return [
    code,
    ...(rate === null ? [] : [`${rate} %`]),
    ...(box === null ? [] : [`ruta ${box}`]),
  ].join(' · ');
}

/** What the rules say of a document, to its sender. */
export interface EInvoiceWarning {
  /** The rule's official id, as in `BR-CO-15`. */
  readonly rule: string;
  readonly level: 'fatal' | 'warning';
  /** Where in the document. */
  readonly path: string;
  readonly message: string;
}

/** What the first sender of a document is answered; those who come after hear that it had come. */
export interface EInvoiceAnswer {
  readonly ok: true;
  readonly draftId: string;
  readonly invoiceNo: string;
  readonly supplier: string;
  /** To pay by the document, in its currency; a credit is below zero. */
  readonly total: number;
  readonly warnings: EInvoiceWarning[];
  readonly documentSha256: string;
  readonly receivedAt: string;
  readonly countryCodeC4: string;
  readonly status: 'new' | 'review';
}

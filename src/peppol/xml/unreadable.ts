/** Why a document could not be read at all. */
export type UnreadableCode =
  /** The bytes do not follow the encoding they claim. */
  | 'XML-ENCODING'
  /** Not well-formed XML. */
  | 'XML-FORM'
  /** Well-formed perhaps, but it asks for something that is never done: a DOCTYPE, a style sheet. */
  | 'XML-REFUSED'
  /** Larger, deeper or slower than the limits allow. */
  | 'XML-LIMIT'
  /** XML, but neither an Invoice nor a CreditNote. */
  | 'UBL-ROOT';

/** Thrown by the reader; `message` is in Swedish and meant for people. Line and column start at 1. */
export class UnreadableDocument extends Error {
  readonly code: UnreadableCode;
  readonly line: number;
  readonly column: number;

  constructor(code: UnreadableCode, message: string, line = 1, column = 1) {
    super(message);
    this.name = 'UnreadableDocument';
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

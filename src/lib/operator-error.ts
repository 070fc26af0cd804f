/**
 * Something the person who runs Huvudbok must put right: a taken port, a folder nobody may enter, a
 * second start. The message is Swedish, complete and names the way out, so it is printed as it stands
 * and without a stack. Whoever calls the API or opens a page is refused with reasons (`errors.ts`) and never
 * sees one; `test/unit/house.test.ts` names the places that may throw it.
 */
export class OperatorError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

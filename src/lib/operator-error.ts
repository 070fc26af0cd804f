/**
 * Something the person who runs Huvudbok must put right: a taken port, a folder nobody may enter, a
 * second start. The message is Swedish, complete and names the way out, so it is printed as it stands
 * and without a stack. Pages say it beside their form, as a refusal (422), where a person meets the same
 * obstacle. Errors to API callers are `AppError`; anything else thrown is our own fault.
 */
export class OperatorError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

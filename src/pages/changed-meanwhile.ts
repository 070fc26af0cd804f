/**
 * A form that changes what is there already carries what it showed in each field, so that whoever saves last is told of
 * what others have saved meanwhile, or they themselves in another tab, and overwrites nothing they have not seen.
 */
import { lockForm } from '../access/sessions/store.ts';
import { type Problem, Refusal } from '../lib/errors.ts';
import { say } from '../lib/language.ts';
import { sha256Of } from '../lib/sha256.ts';
import type { FieldView } from './fields.ts';
import { type Fields, textOf } from './form-fields.ts';
import { type FormInput, nothingTyped, type View, type Visit } from './visit.ts';

/** Nothing is saved. */
export class ChangedMeanwhile extends Refusal {
  /** What was typed, with what others saved where nothing was, and what the form shows by that. */
  readonly fields: Fields;

  constructor(fields: Fields, faults: readonly Problem[]) {
    super('unprocessable', { whole: null, faults });
    this.fields = fields;
  }
}

/** The view with what its form showed when whoever looks first saw it. */
export async function withSeen(
  view: View,
  typed: Fields,
  asStored: () => Promise<View>,
): Promise<View> {
  const seen = textOf(typed, '_seen') || seenIn(fieldsIn(await asStored()));
  return { ...view, seen };
}

/**
 * Throws `ChangedMeanwhile` when a field has been saved as something else than what the form showed and what it now
 * sends. Of two who send at once the second waits here for the first.
 */
export async function refuseUnseen<Params>(
  visit: Visit<Params>,
  typed: Fields,
  show: (visit: Visit<Params>, input: FormInput) => Promise<View>,
): Promise<void> {
  const seen = readSeen(textOf(typed, '_seen'));
  if (!seen) return;
  await lockForm(visit.tx, visit.path);
  const stored = fieldsIn(await show(visit, nothingTyped));
  const changed = [...stored.values()].filter(
    (field) => seen[field.name] !== undefined && seen[field.name] !== digestOf(field),
  );
  if (changed.length === 0) return;
  const sent = fieldsIn(await show(visit, { fields: typed, problems: [], isSent: true }));
  const faults: Problem[] = [];
  const fields: Record<string, Fields[string]> = { ...typed, _seen: seenIn(stored) };
  for (const field of changed) {
    const own = sent.get(field.name);
    if (own && textIn(own) === textIn(field)) continue;
    // A row is not taken out of what was typed: it may be another one there.
    const isTyped = field.name.includes('[') || (own && digestOf(own) !== seen[field.name]);
    if (!isTyped) setTo(fields, field);
    const message = isTyped
      ? say`Ändrat av någon annan medan du skrev. Nu är sparat: ${textIn(field) || say`ingenting`}. Sparar du igen gäller det du har skrivit.`
      : say`Ändrat av någon annan medan du skrev: här står nu det som är sparat.`;
    faults.push({ path: field.name, reason: 'changed_meanwhile', message });
  }
  if (faults.length === 0) return;
  const above = say`Det som står här har sparats av någon annan, eller av dig i en annan flik, sedan du öppnade sidan. Inget av ditt är sparat än: se efter vid de markerade fälten och spara igen.`;
  throw new ChangedMeanwhile(fields, [
    { path: '', reason: 'changed_meanwhile', message: above },
    ...faults,
  ]);
}

/** Every field that a view shows and somebody can change, by name. */
function fieldsIn({ values }: View): Map<string, FieldView> {
  const found = new Map<string, FieldView>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isField(value)) {
      if (!value.isHidden && value.inputType !== 'password') found.set(value.name, value);
    } else for (const part of Object.values(value)) walk(part);
  };
  walk(values);
  return found;
}

const isField = (value: object): value is FieldView => 'inputType' in value && 'name' in value;

/** What stands in it, in words. */
function textIn({ isCheckbox, isChecked, options, value }: FieldView): string {
  if (isCheckbox) return isChecked ? say`ja` : say`nej`;
  if (options.length === 0) return value;
  const chosen = options.filter((option) => option.isChosen);
  return chosen.map(({ label }) => label).join(', ');
}

function setTo(fields: Record<string, Fields[string]>, field: FieldView): void {
  const { name, isCheckbox, isChecked, options, value } = field;
  if (isCheckbox && !isChecked) delete fields[name];
  else if (isCheckbox) fields[name] = 'on';
  else if (options.length === 0) fields[name] = value;
  else fields[name] = options.filter(({ isChosen }) => isChosen).map((option) => option.value);
}

/** Enough to tell what was saved from what was not: it protects people from oversights and from nobody else. */
const digestOf = (field: FieldView): string =>
  sha256Of(textIn(field)).toString('base64url').slice(0, 6);

const seenIn = (fields: ReadonlyMap<string, FieldView>): string =>
  [...fields.values()].map((field) => `${field.name}:${digestOf(field)}`).join(' ');

/** Undefined when the form carried nothing of the kind. */
const readSeen = (seen: string): Readonly<Record<string, string>> | undefined =>
  seen === '' ? undefined : Object.fromEntries(seen.split(' ').map((one) => one.split(':', 2)));

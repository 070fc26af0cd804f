/** The bank's answer to a file (pain.002.001.03 to .10), read with the bounds of its other files. */
import { SaxesParser } from 'saxes';
import type { AnsweredStatus, BankAnswer } from '../../domain/purchases/payables/bank-answer.ts';
import type { Fault } from '../../lib/errors.ts';

const depthMax = 32;
const attributesMax = 64;
const textMax = 10_000;
const reasonsMax = 20;
const reasonTextMax = 500;
/** A file of ours has no more payments. */
const paymentsMax = 10_000;
const namespace = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.\d{2}$/;

class Unreadable extends Error {}

type Open<T> = { -readonly [Key in keyof T]: T[Key] };
interface OpenStatus extends Open<AnsweredStatus> {
  reasons: { code: string; text: string }[];
}
interface OpenBlock extends OpenStatus {
  blockId: string;
  payments: (OpenStatus & { endToEndId: string })[];
}

export function readBankAnswer(
  bytes: Buffer,
): { readonly answer: BankAnswer } | { readonly fault: Fault } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { answer: new Reader().read(text) };
  } catch (error) {
    const isOurs = error instanceof Unreadable;
    // The decoder and the parser throw plain errors.
    if (!isOurs && !(error instanceof TypeError) && error?.constructor !== Error) throw error;
    const message = isOurs
      ? (error as Error).message
      : 'Den är ingen hel XML-fil i UTF-8; hämta den på nytt från banken.';
    return { fault: { path: 'answer', reason: 'bank_answer_unreadable', params: { message } } };
  }
}

const openStatus = (): OpenStatus => ({ status: null, reasons: [] });

class Reader {
  readonly #path: string[] = [];
  #attributes: { name: string; value: string }[] = [];
  #text = '';
  #isMessage = false;
  #messageId = '';
  readonly #file = openStatus();
  readonly #blocks: OpenBlock[] = [];
  #payments = 0;

  read(text: string): BankAnswer {
    const parser = new SaxesParser({ defaultXMLVersion: '1.0', forceXMLVersion: true });
    parser.on('doctype', () => stop('Den har en DOCTYPE, som inte tas emot.'));
    parser.on('attribute', ({ name, value }) => {
      if (this.#attributes.length >= attributesMax) stop('Ett element har för många attribut.');
      this.#attributes.push({ name, value });
    });
    parser.on('opentag', ({ name }) => this.#open(name));
    const characters = (more: string): void => {
      if (this.#text.length < textMax) this.#text += more.slice(0, textMax);
    };
    parser.on('text', characters);
    parser.on('cdata', characters);
    parser.on('closetag', () => this.#close());
    parser.write(text).close();
    if (this.#messageId === '') stop('Den säger inte vilken fil den svarar på.');
    return { messageId: this.#messageId, file: this.#file, blocks: this.#blocks };
  }

  #open(fullName: string): void {
    const name = fullName.slice(fullName.indexOf(':') + 1);
    this.#path.push(name);
    this.#text = '';
    const attributes = this.#attributes;
    this.#attributes = [];
    if (this.#path.length > depthMax) stop('Den har för många nivåer.');
    if (name === 'Document' && !this.#isMessage) {
      const uri = attributes.find(
        (one) => /^xmlns(:|$)/.test(one.name) && namespace.test(one.value),
      );
      if (!uri) stop('Den är ett annat meddelande än pain.002.');
      this.#isMessage = true;
    }
    const at = this.#at;
    if (at === 'OrgnlPmtInfAndSts')
      this.#blocks.push({ ...openStatus(), blockId: '', payments: [] });
    if (at === 'OrgnlPmtInfAndSts/TxInfAndSts') {
      this.#payments += 1;
      if (this.#payments > paymentsMax) stop('Den har fler betalningar än någon fil härifrån.');
      this.#blocks.at(-1)?.payments.push({ ...openStatus(), endToEndId: '' });
    }
    const status = this.#statusAt(at, /\/?StsRsnInf$/);
    if (status && status.reasons.length < reasonsMax) status.reasons.push({ code: '', text: '' });
  }

  /** Within the report: `OrgnlPmtInfAndSts/TxInfAndSts/TxSts`; banks may put an envelope around it. */
  get #at(): string {
    const from = this.#path.indexOf('CstmrPmtStsRpt');
    return from < 0 ? '' : this.#path.slice(from + 1).join('/');
  }

  /** Whose status an element that ends so belongs to. */
  #statusAt(at: string, end: RegExp): OpenStatus | undefined {
    const block = this.#blocks.at(-1);
    switch (at.replace(end, '')) {
      case 'OrgnlGrpInfAndSts':
        return end.test(at) ? this.#file : undefined;
      case 'OrgnlPmtInfAndSts':
        return end.test(at) ? block : undefined;
      case 'OrgnlPmtInfAndSts/TxInfAndSts':
        return end.test(at) ? block?.payments.at(-1) : undefined;
      default:
        return undefined;
    }
  }

  #close(): void {
    const at = this.#at;
    const text = this.#text.trim();
    const block = this.#blocks.at(-1);
    if (text !== '') {
      if (at === 'OrgnlGrpInfAndSts/OrgnlMsgId') this.#messageId = text;
      if (at === 'OrgnlPmtInfAndSts/OrgnlPmtInfId' && block) block.blockId = text;
      const payment = block?.payments.at(-1);
      if (at.endsWith('TxInfAndSts/OrgnlEndToEndId') && payment) payment.endToEndId = text;
      const told = this.#statusAt(at, /\/(GrpSts|PmtInfSts|TxSts)$/);
      if (told) told.status = text;
      const coded = this.#statusAt(at, /\/StsRsnInf\/Rsn\/(Cd|Prtry)$/)?.reasons.at(-1);
      if (coded) coded.code = text.slice(0, reasonTextMax);
      const worded = this.#statusAt(at, /\/StsRsnInf\/AddtlInf$/)?.reasons.at(-1);
      if (worded) worded.text = `${worded.text} ${text}`.trim().slice(0, reasonTextMax);
    }
    this.#path.pop();
    this.#text = '';
  }
}

function stop(message: string): never {
  throw new Unreadable(message);
}

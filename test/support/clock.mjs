/** A preload of the tests (`NODE_OPTIONS=--import`): Node's clock, TEST_CLOCK_SHIFT_MS from the machine's. */
const RealDate = Date;
const shift_ms = Number(process.env['TEST_CLOCK_SHIFT_MS']);
const now = () => RealDate.now() + shift_ms;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : target[name]),
});

/** openapi-typescript builds on the compiler API of TypeScript 5, which TypeScript 7 no longer has. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

/* The page of the API's description (src/api/docs-page.ts): Swagger UI, in the page's language. */
SwaggerUIBundle({
  dom_id: '#description',
  url: `/openapi.json?lang=${document.documentElement.lang}`,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // A key for each try, as calls that write need; the curl beside the answer has it.
  requestInterceptor: (request) => {
    const isWriting = request.method === 'POST' && !request.loadSpec;
    if (isWriting && !request.headers['Idempotency-Key'] && !request.headers['idempotency-key'])
      request.headers['Idempotency-Key'] = crypto.randomUUID();
    return request;
  },
  // An example of XML is shown as it is written: it has no schema of elements to be made of.
  plugins: [
    { fn: { jsonSchema202012: { getXmlSampleSchema: (_schema, _config, example) => example } } },
  ],
  // Closed until somebody opens it: the many schemas take longer to draw than all the operations.
  defaultModelsExpandDepth: 0,
});

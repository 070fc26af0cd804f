/* The page of the API's description (src/api/docs-page.ts): Swagger UI, in the page's language. */
SwaggerUIBundle({
  dom_id: '#description',
  url: `/openapi.json?lang=${document.documentElement.lang}`,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Closed until somebody opens it: the many schemas take longer to draw than all the operations.
  defaultModelsExpandDepth: 0,
});

import openapiTS, { astToString } from "openapi-typescript";

const HEAD =
  "// Made by `npm run client` out of the description of the JSON calls (/api/openapi.json). Not to be edited.\n\n";

/** The types of the typed client. In: the OpenAPI description. Out: TypeScript. */
export const clientTypes = async (description: object): Promise<string> =>
  HEAD + astToString(await openapiTS(structuredClone(description) as Parameters<typeof openapiTS>[0]));

import openapiTS, { astToString } from "openapi-typescript";

const HEAD = "// Made by `npm run build` from the description of the JSON calls (/api/openapi.json). Do not edit.\n\n";

/** Returns the types of the client as TypeScript, made from the OpenAPI description of the calls. */
export const clientTypes = async (description: object): Promise<string> =>
  HEAD + astToString(await openapiTS(structuredClone(description) as Parameters<typeof openapiTS>[0]));

import { json } from "@remix-run/node";
import { openApiDocument } from "~/api/openapi.server";

/** The OpenAPI 3.1 description of the JSON calls. */
export const loader = () => json(openApiDocument(), { headers: { "Cache-Control": "public, max-age=300" } });

// npm run client: writes the typed client's types anew; after every change of the JSON calls.
import { writeFileSync } from "node:fs";
import { openApiDocument } from "~/api/openapi.server";
import { clientTypes } from "./client-types";

writeFileSync("client/calls.ts", await clientTypes(openApiDocument()));

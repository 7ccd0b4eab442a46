// Writes the types of the client. It is a part of npm run build.
import { writeFileSync } from "node:fs";
import { openApiDocument } from "~/api/openapi.server";
import { clientTypes } from "./client-types";

writeFileSync("client/calls.ts", await clientTypes(openApiDocument()));

import { statusSchema } from "~/domain/status/status.schema";
import { sharedStatus } from "~/domain/status/status.service.server";
import { rarePaths } from "~/lib/rare-paths";
import { call, group } from "../call";
import { nothing } from "../wire";

export const statusCalls = group("Status", [
  call({
    who: "anyone",
    path: "Status/GetStatus",
    method: "GET",
    summary: "How fresh CRLs and OCSP answers are, how fast revocations are published, waiting times and uptime",
    notes: `The page /status shows the same. \`${rarePaths.statusJson}\` answers this content without the wrapper, and \`${rarePaths.statusFeed}\` the events as an Atom feed.`,
    input: nothing,
    output: statusSchema,
    handle: () => sharedStatus(),
  }),
]);

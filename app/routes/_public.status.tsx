import { json, type LinksFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { StatusContents } from "~/components/status/status-contents";
import { describeStatus } from "~/domain/status/sections.server";
import { sharedStatus } from "~/domain/status/status.service.server";
import { rarePaths } from "~/lib/rare-paths";

export const links: LinksFunction = () => [
  { rel: "alternate", type: "application/atom+xml", title: "What is late or down", href: rarePaths.statusFeed },
];

export const loader = async () => json(describeStatus(await sharedStatus()));

export default function Status() {
  return <StatusContents {...useLoaderData<typeof loader>()} />;
}

export const meta = pageTitle("Status");

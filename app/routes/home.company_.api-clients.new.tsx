import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { NewClient } from "~/components/api-clients/new-client";
import { pageTitle } from "~/components/shell/page-title";
import { type ShownSecret } from "~/domain/api-clients/management.server";
import { requireUser } from "~/http/guard.server";
import { create, newPage } from "./home.company_.api-clients._index/clients.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return newPage(request, user, "company");
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return create({ request, user, kind: "company" });
}

export default function NewApiClient() {
  const shown = useActionData<{ shown?: ShownSecret }>()?.shown;
  return <NewClient kind="company" {...useLoaderData<typeof loader>()} shown={shown} />;
}

export const meta = pageTitle("New API client");

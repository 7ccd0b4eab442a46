import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { codePage } from "~/domain/codes/code-page.server";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { backFrom, cameFrom } from "./came-from";
import { requireCode } from "./code.server";
import { changeHeldContacts, toContact } from "./contacts.server";
import { saveSent, separateEntityTypes } from "./save.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const open = await requireCode(request, user);
  const [page, countries] = await Promise.all([codePage(user, open), listCountryOptions()]);
  return json({ ...page, countries, back: backFrom(request), from: cameFrom(request) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const open = await requireCode(request, user);
  const sent = await readForm(request);
  separateEntityTypes(sent);
  if (sent.has("contact")) return toContact(request, user, open, sent);
  if (["remove", "restore", "keep"].some((button) => sent.has(button)))
    return changeHeldContacts(request, user, open, sent);
  return saveSent({ request, context, user }, sent);
}

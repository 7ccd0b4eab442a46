import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { factorCodeValidator } from "~/domain/accounts/factors/validators";
import { getGrantPage, grantCertificates, startGrant } from "~/domain/certificates/issuing/granting.service.server";
import { approveSelected } from "~/domain/certificates/queue/bulk-approval.service.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerWithOptions, asksForOptions, passkeyAnswerIn } from "~/http/passkeys.server";
import { invalid, refused } from "~/http/responses.server";
import { readId } from "~/lib/ids";
import { FORM } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  return json(await getGrantPage(user));
}

/** Returns which certificates the page has shown. */
function shownIn(sent: FormData) {
  const [ids, fingerprint] = [sent.get("ids"), sent.get("fingerprint")];
  return {
    ids: typeof ids === "string" && ids !== "" ? ids.split(",").map((id) => readId(id)) : [],
    fingerprint: typeof fingerprint === "string" ? fingerprint : "",
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const sent = await readForm(request);
  const shown = shownIn(sent);
  if (asksForOptions(sent)) return answerWithOptions(() => startGrant(user, shown), FORM);
  const passkey = passkeyAnswerIn(sent);
  const typed = passkey === null ? await factorCodeValidator.validate(sent) : null;
  if (typed?.error) return invalid(typed.error, typed.submittedData);
  try {
    await grantCertificates(user, shown, passkey === null ? { code: typed?.data.code ?? "" } : { passkey });
    return json({ result: await approveSelected(shown.ids, user) });
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

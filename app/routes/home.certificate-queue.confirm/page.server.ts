import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { getGrantPage, grantCertificates, startGrant } from "~/domain/certificates/issuing/granting.service.server";
import { approveSelected, type BulkResult } from "~/domain/certificates/queue/bulk-approval.service.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerLongWork } from "~/http/long-work.server";
import { answerWithOptions, asksForOptions, readFactorAnswer } from "~/http/passkeys.server";
import { refused } from "~/http/responses.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
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
  const read = await readFactorAnswer(sent);
  if ("response" in read) return read.response;
  try {
    const { answer } = read;
    const work = {
      kind: "approval",
      total: shown.ids.length,
      next: { to: paths.certificateQueue, label: "Back to the queue" },
      run: async (onEach: () => void) =>
        approveSelected(await grantCertificates(user, shown, answer), user, { onEach }),
      toOutcome: (approved: BulkResult) => ({ approved }),
    } as const;
    return await answerLongWork(user, work, (result) => json({ result }));
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

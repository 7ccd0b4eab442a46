import { z } from "zod";
import { chosenIds } from "~/lib/list-params";
import { LIST_TEXTS, MOST_CHOSEN } from "./texts";

const chosen = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => chosenIds([value ?? []].flat()));

/**
 * The form of the table: the selected rows and the button that was pressed. `to` (an address of the list), `open` (an order) and `size`
 * come from links and controls that are sent with the form, so that they keep the selected rows.
 */
export const salesOrderChoiceSchema = z
  .object({
    id: chosen,
    intent: z.enum(["view", "export", "export-all", "resize", "go"]).default("go"),
    to: z.string().default(""),
    open: z.string().default(""),
    size: z.string().default(""),
  })
  .superRefine(({ id, intent }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", path: ["id"], message });
    if (intent === "view" && id.length !== 1) refuse(LIST_TEXTS.chooseOne);
    if (intent === "export" && id.length === 0) refuse(LIST_TEXTS.chooseSome);
    if (intent !== "export-all" && id.length > MOST_CHOSEN) refuse(LIST_TEXTS.tooMany);
  });

import { z } from "zod";
import { chosenUsage, withUsage } from "../purchase/order-form.schema";

/** The form for checking a CSR before an order. The server reads the CSR itself, which can be a file. */
export const preflightSchema = z.preprocess(withUsage, z.object({ usage: chosenUsage }));

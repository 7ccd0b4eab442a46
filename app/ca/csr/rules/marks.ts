import { type RequestRules, rfc } from "./rule";

/** What is marked for customers and staff but not refused. The sentences about one CSR say what to do. */
export const MARK_RULES = {
  "mark-host": {
    title: "No DNS name",
    requirement:
      "A certificate for Secure session (TLS) should have the DNS name or the IP address of the server, by which partners recognise it.",
    advice: "",
    section: "3.1.1",
    standard: rfc(9525, "6"),
  },
  "mark-left-out": {
    title: "Not in the certificate",
    requirement:
      "A CSR should state only the attributes and names that a certificate of this CA contains. Everything else in it is left out.",
    advice: "",
    section: "3.1.1",
    standard: rfc(5280, "4.2.1.6"),
  },
  "mark-oftp-id": {
    title: "No OFTP ID",
    requirement:
      "The serial number of the subject should be a valid OFTP ID, by which OFTP2 software finds certificates.",
    advice: "",
    section: "3.1.1",
    standard: rfc(5024, "5.4"),
  },
  "mark-same-key": {
    title: "Pending orders with the same key",
    requirement: "A customer should not order twice with one key: the second order may be a mistake.",
    advice: "",
    section: "3.1.5",
    standard: rfc(2986, "3"),
  },
} satisfies RequestRules;

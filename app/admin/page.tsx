import { redirect } from "next/navigation";
import { services } from "@/lib/server/services.ts";

/** Leads to the page that there is most to do on: where nobody signs in, there are no users to speak of. */
export default function AdminPage(): never {
  redirect(services().access.required ? "/admin/users" : "/admin/keys");
}

import { z } from "zod";

/** What the agents of all frameworks are told, asked, and can do. */
export const INSTRUCTIONS = "You look up orders and refund them.";

/** Two turns of one conversation: the first is refunded, at the second the refund throws. */
export const QUESTIONS = ["Please refund order A-1042, it never came.", "And order B-2077, please."] as const;

export const findOrderInput = z.object({ order_id: z.string() });
export const refundInput = z.object({ order_id: z.string(), amount: z.number() });

export const FIND_ORDER = "Looks up an order by its number.";
export const REFUND = "Pays an order's total back.";

const ORDERS: Readonly<Record<string, { status: string; customer_id: string; total: number }>> = {
  "A-1042": { status: "lost", customer_id: "C-77310", total: 149.9 },
  "B-2077": { status: "delivered", customer_id: "C-77310", total: 38.25 },
};

export function findOrder({ order_id }: z.infer<typeof findOrderInput>) {
  const order = ORDERS[order_id];
  if (!order) throw new Error(`There is no order ${order_id}`);
  return { order_id, ...order };
}

export function refund({ order_id, amount }: z.infer<typeof refundInput>) {
  if (ORDERS[order_id]?.status !== "lost") throw new Error(`Order ${order_id} was delivered and cannot be refunded`);
  return { refund_id: `R-${order_id}`, amount };
}

import type { ServerSpec } from '../corpus.ts';

export const shop: ServerSpec = {
  name: 'shop',
  spelling: 'kebab',
  tools: `
search_products | Search the catalogue by words, category, price or stock. | query; category; max_price
set_product_price | Set the price of a product or variant. | product_id; amount; currency
adjust_inventory | Raise or lower the stock of a variant at a location. | variant_id; location_id; delta; reason
get_inventory_level | See how many pieces of a variant are in stock where. | variant_id
list_orders | List orders by status, date or customer. | status; since; customer_id
get_order | Get an order with its lines, addresses, payments and shipments. | order_id
cancel_order | Cancel an order that has not shipped yet. | order_id; reason; restock
fulfill_order | Mark lines of an order as shipped, with carrier and tracking number. | order_id; lines; tracking_number
track_shipment | Ask the carrier where a parcel is. | tracking_number; carrier
buy_shipping_label | Buy a postage label for a parcel. | order_id; carrier; service; weight
refund_payment | Pay money back to a customer, fully or in part. | payment_id; amount; reason
capture_payment | Collect a payment that was only authorised before. | payment_id; amount
create_payment_link | Create a link where anybody can pay for a product. | product_id; quantity
create_checkout | Start a checkout for a cart and return its address. | cart_id; success_url
send_invoice | Email an invoice to the customer. | invoice_id
void_invoice | Declare an invoice void. | invoice_id
pause_subscription | Pause a subscription without ending it. | subscription_id; resume_at
cancel_subscription | End a subscription now or at the end of the period. | subscription_id; at_period_end
get_account_balance | See how much money is available and pending. | currency
list_payouts | List transfers of earnings to the bank account. | since
respond_to_dispute | Send evidence against a chargeback. | dispute_id; evidence
merge_customers | Merge two customer records into one. | keep_id; remove_id
block_customer | Stop a customer from ordering again. | customer_id; reason
get_sales_report | Report revenue, orders and average basket for a range of days. | from; to; group_by
get_best_sellers | Report the products that sold most. | from; to; limit
get_abandoned_carts | See carts that were left without buying. | since
send_marketing_email | Send a campaign to a segment of customers. | segment_id; subject; html
calculate_tax | Calculate the sales tax of a cart for an address. | cart_id; address
validate_address | Check a postal address and correct it. | address
answer_product_question | Publish an answer to a question a shopper asked. | question_id; text
`,
  things: `
product, products | a thing that is for sale
variant, variants | one size or colour of a product
collection, collections | products that are shown together
category, categories | a place of products in the catalogue tree
product image, product images | a picture of a product
product review, product reviews | what a buyer wrote about a product
customer, customers | a person who bought or signed up
customer segment, customer segments | customers with something in common
customer address, customer addresses | where a customer has parcels sent
discount code, discount codes | a code that lowers the price
gift card, gift cards | credit that somebody can give away
price list, price lists | other prices for some customers
shipping zone, shipping zones | countries with the same rates
shipping rate, shipping rates | what sending a parcel costs
warehouse, warehouses | a place that holds stock
supplier, suppliers | a company that goods are bought from
purchase order, purchase orders | goods ordered from a supplier
return request, return requests | a wish of a customer to send something back
invoice, invoices | a bill for a customer
invoice item, invoice items | a line of a bill
payment method, payment methods | a saved card or account of a customer
subscription, subscriptions | something a customer pays for every month or year
subscription plan, subscription plans | what can be subscribed to, at which price
coupon, coupons | a reduction on a subscription
tax rate, tax rates | the percentage of tax in a region
dispute, disputes | a payment a customer contested at the bank
loyalty programme, loyalty programmes | points for every purchase
email campaign, email campaigns | a mailing to many customers
storefront page, storefront pages | a page of text in the shop
blog article, blog articles | a post in the shop's blog
redirect, redirects | an old address that leads to a new one
staff account, staff accounts | a person who works in the shop's admin
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'List {s} with filters. ({is})',
      parameters: 'limit; cursor; filter',
    },
    {
      name: 'retrieve_{}',
      description: 'Retrieve a {} by its id.',
      parameters: 'id: which {}',
    },
    {
      name: 'create_{}',
      description: 'Create a {}, that is {is}.',
      parameters: 'data: fields of the {}',
    },
    {
      name: 'update_{}',
      description: 'Update fields of a {}.',
      parameters: 'id: which {}; data',
    },
    {
      name: 'delete_{}',
      description: 'Delete a {} permanently.',
      parameters: 'id: which {}',
    },
  ],
};

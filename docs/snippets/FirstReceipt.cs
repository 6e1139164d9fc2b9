// A first receipt from C#, with the framework's own libraries (.NET, or Mono):
//     mcs FirstReceipt.cs -r:System.Net.Http -r:System.Runtime.Serialization
//     mono FirstReceipt.exe [address [key [seconds]]]
// Ends with 0: issued, 1: refused, 2: not known yet, come back with the key. Refused is not signed; but if the key
// stands for another body, that one may be signed: look it up, and take no new key for the same sale.
using System;
using System.IO;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;

[DataContract]
class Answer
{
    [DataMember(Name = "invoiceNumber")] public string Number { get; set; }
    [DataMember(Name = "pdf")] public string Pdf { get; set; }
    [DataMember(Name = "class")] public string Class { get; set; }
    [DataMember(Name = "message")] public string Message { get; set; }

    public int Status { get; set; }   // 0: no answer came
}

static class FirstReceipt
{
    // Numbers are JSON numbers, with a point whatever the culture, and never strings.
    const string Sale = @"{
        ""invoiceType"": ""normal"", ""transactionType"": ""sale"",
        ""payments"": {""cash"": 200},
        ""items"": [{""sku"": 1, ""quantity"": 2, ""unitPrice"": 58.99}],
        ""receiptDelivery"": {""pdf"": true}
    }";

    // The server answers within 20 s.
    static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(25) };

    static int Main(string[] words)
    {
        return Sell(words).GetAwaiter().GetResult();
    }

    static async Task<int> Sell(string[] words)
    {
        var receipts = (words.Length > 0 ? words[0] : "http://127.0.0.1:9999")
            + "/fiscalization/receipts";
        // Of your own, new for each sale, and kept with the sale BEFORE it is sent.
        var key = words.Length > 1 ? words[1] : Guid.NewGuid().ToString("N");
        var until = DateTime.UtcNow.AddSeconds(words.Length > 2 ? int.Parse(words[2]) : 60);
        do
        {
            var answer = await Issue(receipts, key);
            if (answer.Status >= 400 && answer.Status < 500 && answer.Class != "wait")
            {
                Console.Error.WriteLine(answer.Class + ": " + answer.Message);   // fix, or cure
                return 1;
            }
            // No answer, or 5xx: it may be signed. Look it up until that is known.
            while (IsNotKnown(answer.Status) && DateTime.UtcNow < until)
            {
                await Task.Delay(1000);
                answer = await Ask(new HttpRequestMessage(HttpMethod.Get, receipts + "/key:" + key));
            }
            if (answer.Status == 200)
            {
                Console.WriteLine(answer.Number + "\n" + answer.Pdf);
                return 0;
            }
            await Task.Delay(1000);   // surely not signed (wait, or 404): the same key again
        } while (DateTime.UtcNow < until);
        Console.Error.WriteLine("not known yet: " + key);
        return 2;
    }

    static bool IsNotKnown(int status)
    {
        return status == 0 || status == 202 || status >= 500;
    }

    static Task<Answer> Issue(string receipts, string key)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, receipts);
        request.Headers.Add("Idempotency-Key", key);
        request.Content = new StringContent(Sale, Encoding.UTF8, "application/json");
        return Ask(request);
    }

    static async Task<Answer> Ask(HttpRequestMessage request)
    {
        try
        {
            var response = await Http.SendAsync(request);
            var body = await response.Content.ReadAsByteArrayAsync();
            var reader = new DataContractJsonSerializer(typeof(Answer));
            var answer = (Answer)reader.ReadObject(new MemoryStream(body));
            answer.Status = (int)response.StatusCode;
            return answer;
        }
        catch (Exception error) when (
            error is HttpRequestException || error is OperationCanceledException
            || error is IOException || error is SerializationException)
        {
            return new Answer();   // refused, cut off or too late: not known
        }
    }
}
